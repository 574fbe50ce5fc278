import { existsSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import type { EvalArm, PlanOptions } from '@skillpack/evals';
import { splitList } from '../agent/split-list.js';
import { nearestName } from '../frame/nearest-name.js';
import type { Places } from '../settings/places.js';
import type { EvalFlags } from './eval-options.js';
import { readReporters, type ChosenReporter } from './read-reporters.js';

/** What a command line asks for, in the words of the library. */
export interface EvalChoice {
  /** Absolute. */
  readonly paths: readonly string[];
  /** Words for models; none where only what is free is wanted. */
  readonly models: readonly string[];
  /** Whether nobody named a model: then only cases that have a script are run. */
  readonly free: boolean;
  readonly arms: readonly EvalArm[];
  readonly filter: PlanOptions['filter'];
  readonly shard: { readonly index: number; readonly count: number } | undefined;
  readonly budget: { readonly cost: number | undefined; readonly calls: number | undefined };
  readonly reporters: readonly ChosenReporter[];
  /** Absolute. */
  readonly out: string;
  /** Folders of further skills, absolute. */
  readonly catalogue: readonly string[];
}

/** Reads the words of a command line. @throws `USAGE` for one that means nothing, with those that would. */
export function readEvalFlags(flags: EvalFlags, { cwd, projectDir }: Places): EvalChoice {
  const models = flags.model === undefined ? ['scripted'] : [...new Set(splitList(flags.model))];
  const choice: EvalChoice = {
    paths: (flags.paths.length === 0 ? ['.'] : flags.paths).map((path) => resolve(cwd, path)),
    models: flags.ranksOnly === true ? [] : models,
    free: flags.model === undefined,
    arms: readArms(flags),
    filter: filterOf(flags),
    shard: flags.shard === undefined ? undefined : readShard(flags.shard),
    budget: { cost: readDollars(flags.budget), calls: flags.maxCalls },
    reporters: readReporters(flags.reporter, cwd),
    out: resolve(cwd, flags.out ?? resolve(projectDir, '.agents', 'evals')),
    catalogue: flags.catalogue === undefined ? [] : splitList(flags.catalogue).map((path) => resolve(cwd, path)),
  };
  refuseMixtures(flags, choice);
  refuseOneFolder(flags.baseline, choice.out, cwd);
  return choice;
}

function refuseMixtures(flags: EvalFlags, { models, arms, reporters }: EvalChoice): void {
  if (models.length > 1 && models.includes('scripted')) {
    throw new SkillsError('USAGE', 'The model “scripted” plays the scripts of cases, and stands alone.', {
      hint: 'Run it apart from the others: results of one folder are put together anyway.',
    });
  }
  if (flags.ranksOnly === true && flags.model !== undefined) {
    throw new SkillsError('USAGE', '--ranks-only asks no model, and --model names one.', { hint: 'Leave one out.' });
  }
  const viewer = reporters.find(({ name }) => name === 'agentskills' || name === 'skill-creator');
  if (flags.ranksOnly === true && viewer !== undefined) {
    throw new SkillsError('USAGE', `--reporter ${viewer.name} tells of trials, and --ranks-only runs none.`, {
      hint: 'Ranks alone are told by console, markdown, json, junit and html.',
    });
  }
  if (models[0] === 'scripted' && arms.includes('without_skill')) {
    throw new SkillsError('USAGE', '--arms names “without”, and a script says what is decided with the skill.', {
      hint: 'Name a model by --model, or leave “without” out.',
    });
  }
  if (arms.includes('old_skill') && flags.old === undefined) {
    throw new SkillsError('USAGE', '--arms names “old”, and nobody says which skills those are.', {
      hint: 'Name their folder by --old.',
    });
  }
  if (flags.record !== undefined && (models.length !== 1 || models[0]?.startsWith('recorded:') === true)) {
    throw new SkillsError('USAGE', '--record keeps what one model answers that is asked itself.', {
      hint: `It is to be named by --model, alone; here ${models.length === 1 ? 'a recording is played' : `${models.length} are named`}.`,
    });
  }
  if (flags.approve === 'ask') {
    throw new SkillsError('USAGE', '--approve ask would have every trial wait for you.', {
      hint: 'Say what is a yes: --approve run_script, --approve "run_script(pdf)".',
    });
  }
  if (flags.watch === true && flags.shard !== undefined) {
    throw new SkillsError('USAGE', '--watch runs what changes, and --shard a part of a whole.', {
      hint: 'Leave one out.',
    });
  }
}

/** The run would write over what it is held to: the next one would be held to that. @throws `USAGE`. */
export function refuseOneFolder(baseline: string | undefined, out: string, cwd: string): void {
  if (baseline === undefined) return;
  const place = resolve(cwd, baseline);
  if (realPath(place) !== realPath(out) && realPath(dirname(place)) !== realPath(out)) return;
  throw new SkillsError(
    'USAGE',
    `The baseline ${quoted(baseline)} lies where the results go, and would be written over.`,
    {
      hint: 'Nothing was run. Name another folder by --out, or copy the baseline to one of its own.',
      data: { baseline: place, out },
    },
  );
}

/** A folder that is not there yet is called as it is named. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

const armWords: Readonly<Record<string, EvalArm>> = {
  with: 'with_skill',
  with_skill: 'with_skill',
  without: 'without_skill',
  without_skill: 'without_skill',
  old: 'old_skill',
  old_skill: 'old_skill',
};

function readArms({ arms, old }: EvalFlags): readonly EvalArm[] {
  if (arms === undefined) return old === undefined ? ['with_skill'] : ['with_skill', 'old_skill'];
  const found = splitList(arms).map((word) => {
    const arm = Object.hasOwn(armWords, word) ? armWords[word] : undefined;
    if (arm !== undefined) return arm;
    const nearest = nearestName(word, Object.keys(armWords));
    throw new SkillsError('USAGE', `--arms names ${quoted(word)}; expected with, without, old.`, {
      hint: nearest === undefined ? 'For example: --arms with,without.' : `Did you mean ${nearest}?`,
      data: { value: word },
    });
  });
  return [...new Set(found)];
}

function filterOf({ filter, tag }: EvalFlags): PlanOptions['filter'] {
  if (filter === undefined && tag === undefined) return undefined;
  const words = filter === undefined ? [] : splitList(filter);
  const wanted = tag === undefined ? [] : splitList(tag);
  return ({ suite, case: id, tags }) =>
    (words.length === 0 || words.some((word) => `${suite}/${id}`.includes(word))) &&
    (wanted.length === 0 || wanted.some((word) => tags.includes(word)));
}

function readShard(text: string): { readonly index: number; readonly count: number } {
  const [, first = '', second = ''] = /^(\d{1,5})\/(\d{1,5})$/u.exec(text) ?? [];
  const [index, count] = [Number(first), Number(second)];
  if (index >= 1 && count >= index) return { index, count };
  throw new SkillsError('USAGE', `--shard is ${quoted(text)}; expected a part of a whole: 1/4 to 4/4.`, {
    data: { value: text },
  });
}

function readDollars(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,7}(?:\.\d{1,6})?$/u.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw new SkillsError('USAGE', `--budget is ${quoted(text)}; expected US dollars above 0, such as 2 or 0.50.`, {
    data: { value: text },
  });
}
