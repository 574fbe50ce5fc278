import { basename, dirname, parse } from 'node:path';
import { sha256 } from '@skillpack/cli-dist';
import { measureSkill, SkillsError, type Digest, type ModelAdapter } from '@skillpack/core';
import type { EvalSuite, OpenJob, OpenModel } from '@skillpack/evals';
import { recorded, type RecordedOptions } from '@skillpack/model-adapters';
import { cassetteFile } from '@skillpack/model-adapters/node';
import { makeFolder } from '../files/make-folder.js';
import { cassettePath } from './cassette-path.js';
import type { SkillPlace } from './eval-model-ports.js';

/** Where the calls of a trial are recorded, or played from. */
export interface TrialCassette {
  /** The folder of all recordings, absolute. */
  readonly folder: string;
  readonly workspace: string;
  readonly suites: readonly EvalSuite[];
  readonly skills: readonly SkillPlace[];
  readonly home: string;
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal;
}

/** A model that plays what was recorded of a trial; what was not recorded fails. @throws as `recorded`. */
export async function playTrial(open: OpenJob, cassette: TrialCassette): Promise<OpenModel> {
  const path = cassettePath(cassette.folder, open.job);
  return withAdvice(async () => {
    const model = await recorded(undefined, cassetteFile(path), optionsOf(open, cassette));
    return {
      model: { ...model, decide: async (request, how) => withAdvice(async () => model.decide(request, how)) },
    };
  });
}

/** A model whose calls are recorded: a trial that is worth keeping replaces what was recorded of it before. */
export async function recordTrial(model: ModelAdapter, open: OpenJob, cassette: TrialCassette): Promise<OpenModel> {
  const path = cassettePath(cassette.folder, open.job);
  makeFolder(dirname(path));
  const recording = await recorded(model, cassetteFile(path), { ...optionsOf(open, cassette), mode: 'record' });
  return {
    model: recording,
    close: async (keep) => (keep ? recording.close() : recording.discard()),
  };
}

function optionsOf(open: OpenJob, { workspace, skills, suites, home, redact, signal }: TrialCassette): RecordedOptions {
  return {
    replace: [
      { from: workspace, to: '{workspace}' },
      ...placesOf(skills),
      ...(home === '' || home === parse(home).root ? [] : [{ from: home, to: '{home}' }]),
    ],
    redact,
    skills: async () => digestsOf(open, { suites, signal }),
  };
}

/**
 * A skill is called by where it lies: `{skills}/pdf` of the first folder with skills, `{skills-2}/table` of the next. The
 * longest comes first, since one may lie in another.
 */
function placesOf(skills: readonly SkillPlace[]): readonly { readonly from: string; readonly to: string }[] {
  const parents = [...new Set(skills.map(({ original }) => dirname(original)))];
  const label = (folder: string): string => {
    const at = parents.indexOf(dirname(folder));
    return `${at === 0 ? '{skills}' : `{skills-${at + 1}}`}/${basename(folder)}`;
  };
  return skills
    .map(({ folder, original }) => ({ from: folder, to: label(original) }))
    .toSorted((one, other) => other.from.length - one.from.length);
}

/**
 * Of the skills that the suite is about: a recording says nothing of other ones. What a model is told of the rest stands in
 * its requests, by which calls are found. A skill without its text, as in a trial of the kind `trigger`, is not measured.
 */
async function digestsOf(
  { job, case: { kind }, registry }: OpenJob,
  { suites, signal }: Pick<TrialCassette, 'suites' | 'signal'>,
): Promise<Readonly<Record<string, Digest>>> {
  if (kind === 'trigger') return {};
  const names = suites.find(({ name }) => name === job.suite)?.skills ?? [];
  const digests = new Map<string, Digest>();
  for (const name of names) {
    const skill = await registry.get(name);
    if (skill !== undefined) digests.set(name, (await measureSkill(skill, { registry, sha256 }, { signal })).digest);
  }
  return Object.fromEntries(digests);
}

const advice: Readonly<Record<string, string>> = {
  RECORDING_STALE: 'The skill is another one than it was recorded with. Record it again by --record.',
  RECORDING_NOT_FOUND: 'What the model is asked is something else than was recorded. Record it again by --record.',
};

async function withAdvice<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    const { code, message, data } = error;
    const hint = advice[code];
    throw hint === undefined ? error : new SkillsError(code, message, { hint, cause: error, data });
  }
}
