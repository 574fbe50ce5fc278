import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { quoted, SkillsError, type ModelAdapter } from '@skillpack/core';
import type { ModelSource, OpenJob, OpenModel } from '@skillpack/evals';
import { parseScript, scripted } from '@skillpack/model-adapters';
import { chooseModel } from '../models/choose-model.js';
import { knownPath } from '../models/known-path.js';
import type { ChosenModel, ModelPlace } from '../models/model-provider.js';
import { isFree } from './free-models.js';
import { limitModel, type SpendingLimits } from './limit-model.js';
import { modelRunOf, type EvalModelPlaces, type EvalModelPorts } from './eval-model-ports.js';
import { playTrial, recordTrial } from './trial-cassettes.js';

/** What a model is opened with. */
export interface ModelKindContext extends EvalModelPorts, EvalModelPlaces {
  readonly limits: SpendingLimits;
  /** The folder that calls are recorded in, absolute. @default nothing is recorded */
  readonly record: string | undefined;
}

/** How a model is opened for a trial. */
export type OpenTrialModel = ModelSource['open'];

/** A model that somebody named: by a script in each case, by recordings, by a file, or of a provider. */
export interface ModelKind {
  /** What results call it. */
  readonly name: string;
  /** The keys that it may send. */
  readonly secrets: readonly string[];
  open(context: ModelKindContext): Promise<OpenTrialModel>;
}

/** The model that a word names. @throws as `chooseModel`; `FILE_NOT_FOUND` for a folder of recordings that is not there. */
export async function chooseModelKind(word: string, place: ModelPlace): Promise<ModelKind> {
  if (word === 'scripted') return scriptsOfCases;
  if (word.startsWith('recorded:')) return recordings(word.slice('recorded:'.length), place);
  return isFree(word) ? anewEachTrial(word, place) : ofProvider(word, place);
}

const scriptsOfCases: ModelKind = {
  name: 'scripted',
  secrets: [],
  open: async () => async (open) => ({ model: scriptOf(open) }),
};

/** @throws `INVALID_CASE` for a case without a script, and `INVALID_CONFIG` for a script that is none. */
function scriptOf({ job, case: { script } }: OpenJob): ModelAdapter {
  const fileName = `${job.suite}/${job.case}.json`;
  if (script === undefined) {
    throw new SkillsError('INVALID_CASE', `The case ${quoted(fileName.slice(0, -5))} has no script to go by.`, {
      hint: 'Give it one, as docs/models.md describes scripts, or name a model by --model.',
      data: { suite: job.suite, case: job.case },
    });
  }
  return free(scripted(parseScript(JSON.stringify(script), { fileName }), { name: 'scripted', keptRequests: 0 }));
}

function recordings(name: string, { cwd, projectDir }: ModelPlace): ModelKind {
  const folder = resolve(cwd, name);
  if (name.trim() === '' || !existsSync(folder)) {
    throw new SkillsError('FILE_NOT_FOUND', `There is no folder ${quoted(folder)} of recordings.`, {
      hint: 'skills eval --record <folder> --model <provider:name> makes one.',
      data: { path: folder },
    });
  }
  return {
    name: `recorded:${knownPath(folder, projectDir)}`,
    secrets: [],
    open: async (context) => async (open, how) => playTrial(open, { ...context, ...how, folder }),
  };
}

/** A list of replies goes on where it was: each trial has to begin with the first. */
async function anewEachTrial(word: string, place: ModelPlace): Promise<ModelKind> {
  await chooseModel(word, place);
  return {
    name: word,
    secrets: [],
    open: async (context) => async (open, how) => {
      const model = await (await chooseModel(word, place)).open(modelRunOf({ ...context, registry: open.registry }));
      return kept(word.startsWith('scripted:') ? free(model) : model, open, { ...context, ...how });
    },
  };
}

/** What is written down costs nothing: that is known. */
function free(model: ModelAdapter): ModelAdapter {
  return { ...model, costOf: () => 0 };
}

/** One model with one limit serves all trials. */
async function ofProvider(word: string, place: ModelPlace): Promise<ModelKind> {
  const chosen = await chooseModel(word, place);
  let limited: Promise<ModelAdapter> | undefined;
  return {
    name: word,
    secrets: chosen.secrets,
    open: async (context) => {
      // One budget, however often it is opened.
      limited ??= openLimited(chosen, context);
      const model = await limited;
      return async (open, how) => kept(model, open, { ...context, ...how });
    },
  };
}

async function openLimited(chosen: ChosenModel, context: ModelKindContext): Promise<ModelAdapter> {
  return limitModel(await chosen.open(modelRunOf(context)), context, context.limits);
}

interface KeptHow extends ModelKindContext {
  readonly workspace: string;
  readonly signal: AbortSignal;
}

async function kept(model: ModelAdapter, open: OpenJob, how: KeptHow): Promise<OpenModel> {
  return how.record === undefined ? { model } : recordTrial(model, open, { ...how, folder: how.record });
}
