import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import { modelJudge, type Judge, type ModelSource } from '@skillpack/evals';
import { chooseModel } from '../models/choose-model.js';
import { knownPath } from '../models/known-path.js';
import type { ChosenModel, ModelPlace } from '../models/model-provider.js';
import { isFree } from './free-models.js';
import { playJudge, recordJudge } from './judge-cassettes.js';
import { limitModel, type SpendingLimits } from './limit-model.js';
import { modelRunOf, type EvalModelPlaces, type EvalModelPorts } from './eval-model-ports.js';
import { chooseModelKind, type ModelKind } from './model-kind.js';

/** Which models are wanted, and how they are asked. */
export interface EvalModelOptions {
  readonly models: readonly string[];
  readonly judge: string | undefined;
  readonly limits: Omit<SpendingLimits, 'sharers'>;
  /** The folder that calls are recorded in, absolute. @default nothing is recorded */
  readonly record: string | undefined;
}

/** Models that are chosen, of which everything was looked at that can be before anything is asked. */
export interface EvalModels {
  /** What the results call them, in the order in which they were named. */
  readonly names: readonly string[];
  /** The keys that they may send. */
  readonly secrets: readonly string[];
  /** @throws `USAGE` for a budget in dollars of a model whose price nobody knows; what keeps one from being asked at all. */
  open(places: EvalModelPlaces): Promise<OpenEvalModels>;
}

/** Models that can be asked. */
export interface OpenEvalModels {
  readonly source: ModelSource;
  /** @default nobody judges */
  readonly judge: Judge | undefined;
}

/**
 * Chooses the models that decide, and the one that judges.
 *
 * @throws as `chooseModel`; `FILE_NOT_FOUND` for recordings that are not there.
 */
export async function chooseEvalModels(options: EvalModelOptions, ports: EvalModelPorts): Promise<EvalModels> {
  const { models, judge } = options;
  const place = placeOf(ports);
  const sharers = [...models, ...(judge === undefined ? [] : [judge])].filter((model) => !isFree(model)).length;
  const limits = { ...options.limits, sharers };
  const kinds: ModelKind[] = [];
  for (const model of models) kinds.push(await chooseModelKind(model, place));
  const judging = judge === undefined ? undefined : await chooseJudge(judge, place);
  let asked: Promise<Judge> | undefined;
  return {
    names: [...new Set(kinds.map(({ name }) => name))],
    secrets: [...kinds, ...(judging?.kind === 'asked' ? [judging.chosen] : [])].flatMap(({ secrets }) => secrets),
    open: async (places) => {
      const context = { ...ports, ...places, limits, record: options.record };
      const openers = await Promise.all(kinds.map(async (kind) => [kind.name, await kind.open(context)] as const));
      const byName = new Map(openers);
      const source: ModelSource = {
        open: async (job, how) => {
          const open = byName.get(job.job.model);
          if (open === undefined) throw new Error(`nobody opens ${job.job.model}, which is of another plan`);
          return open(job, how);
        },
      };
      // One budget, however often it is opened.
      if (judging !== undefined) asked ??= openJudge(judging, context);
      return { source, judge: await asked };
    },
  };
}

function placeOf({ settings, env }: EvalModelPorts): ModelPlace {
  const { cwd, projectDir, skillsHome, models } = settings;
  return { cwd, projectDir, skillsHome, configured: false, answered: 0, recorded: false, env, models };
}

interface JudgeContext extends EvalModelPorts, EvalModelPlaces {
  readonly limits: SpendingLimits;
  readonly record: string | undefined;
}

/** Who judges: a model that is asked, or what was recorded of one. */
type ChosenJudge =
  | { readonly kind: 'asked'; readonly word: string; readonly chosen: ChosenModel }
  | { readonly kind: 'played'; readonly name: string; readonly folder: string };

/** @throws as `chooseModel`; `FILE_NOT_FOUND` for a folder of recordings in which nothing was judged. */
async function chooseJudge(word: string, place: ModelPlace): Promise<ChosenJudge> {
  const folder = word.startsWith('recorded:') ? resolve(place.cwd, word.slice('recorded:'.length)) : undefined;
  // A file is one cassette, as for any model.
  if (folder === undefined || (existsSync(folder) && !statSync(folder).isDirectory())) {
    return { kind: 'asked', word, chosen: await chooseModel(word, place) };
  }
  if (existsSync(join(folder, '_judge'))) {
    return { kind: 'played', name: `recorded:${knownPath(folder, place.projectDir)}`, folder };
  }
  throw new SkillsError('FILE_NOT_FOUND', `There is no recording of a judge in ${quoted(folder)}.`, {
    hint: 'skills eval --record <folder> with --model and --judge makes one.',
    data: { path: folder },
  });
}

async function openJudge(judging: ChosenJudge, context: JudgeContext): Promise<Judge> {
  const { redact, record } = context;
  if (judging.kind === 'played') return playJudge(judging.name, { folder: judging.folder, redact });
  const { word, chosen } = judging;
  const model = await chosen.open(modelRunOf(context));
  const limited = isFree(word) ? model : limitModel(model, context, context.limits);
  return record === undefined ? modelJudge(limited) : recordJudge(limited, { folder: record, redact });
}
