import { escapedJson, expectOptions, quoted, SkillsError } from '@skillpack/core';
import type { EvalSuite } from '../case/eval-case.js';
import type { EvalResult } from '../results/eval-result.js';
import { benchmarkOf } from './workspace/benchmark.js';
import { feedbackOf } from './workspace/feedback.js';
import { runFiles } from './workspace/run-files.js';
import { triggerResults } from './workspace/trigger-results.js';
import type { WorkspaceFile, WorkspaceOptions } from './workspace/workspace-options.js';
import { armOrder, pathPart, type SuiteRuns } from './workspace/suite-runs.js';

const optionNames: Readonly<Record<keyof WorkspaceOptions, true>> = {
  dialect: true,
  iteration: true,
  suites: true,
  model: true,
  feedback: true,
  skillPath: true,
  description: true,
};

/**
 * Results as the files that viewers of other tools open: `<skill>-workspace/iteration-1/eval-<case>/with_skill/…`, with
 * `grading.json`, `timing.json` and `benchmark.json`; of queries, `trigger-results.json`. Trials that were not scored
 * count nowhere, and are told of in the notes of the benchmark. A trial that there are several results of counts once, by
 * the last.
 *
 * @throws `USAGE` where results are of several models and none is named.
 */
export function workspaceFiles(results: readonly EvalResult[], options: WorkspaceOptions): readonly WorkspaceFile[] {
  expectOptions(options, { of: 'workspaceFiles', names: optionNames });
  const { dialect, iteration, suites } = options;
  if (!['agentskills', 'skill-creator'].includes(dialect)) {
    throw new SkillsError('USAGE', `There is no dialect ${quoted(dialect, 60)} of workspaces.`, {
      hint: 'There is agentskills, and skill-creator.',
    });
  }
  if (!Number.isInteger(iteration) || iteration < 1) {
    throw new SkillsError('USAGE', `An iteration is a whole number from 1, not ${iteration}.`);
  }
  const model = chosenModel(results, options.model);
  const last = new Map(results.filter((result) => result.model === model).map((result) => [result.key, result]));
  return suites.flatMap((suite) => {
    const own = [...last.values()].filter((result) => result.suite === suite.name);
    return own.length === 0
      ? []
      : filesOf({ suite, results: ordered(suite, own), folder: folderOf(suite, options) }, options);
  });
}

function filesOf(runs: SuiteRuns, options: WorkspaceOptions): readonly WorkspaceFile[] {
  const feedback = feedbackOf(runs, options);
  const triggers = triggerResults(runs, options);
  const tasks = runs.results.some(({ kind }) => kind === 'task');
  return [
    ...runFiles(runs, options),
    ...(tasks ? [document(`${runs.folder}/benchmark.json`, benchmarkOf(runs, options))] : []),
    ...(triggers === undefined ? [] : [document(`${runs.folder}/trigger-results.json`, triggers)]),
    ...(feedback === undefined ? [] : [document(`${runs.folder}/feedback.json`, feedback)]),
  ];
}

/** A file with a value as JSON. */
function document(path: string, value: object): WorkspaceFile {
  return { path, text: `${escapedJson(value, 2)}\n` };
}

function chosenModel(results: readonly EvalResult[], wanted: string | undefined): string | undefined {
  const models = [...new Set(results.map(({ model }) => model))];
  if (wanted !== undefined || models.length < 2) return wanted ?? models[0];
  throw new SkillsError('USAGE', `A workspace holds the results of one model; these are of ${models.length}.`, {
    hint: `Name one of ${models.slice(0, 10).join(', ')}.`,
    data: { models },
  });
}

/** In the order of the cases, of the arms, and of the trials. */
function ordered({ cases }: EvalSuite, results: readonly EvalResult[]): readonly EvalResult[] {
  const places = new Map(cases.map(({ id }, index) => [id, index]));
  const place = ({ case: id }: EvalResult) => places.get(id) ?? cases.length;
  return results.toSorted(
    (left, right) =>
      place(left) - place(right) ||
      (left.case < right.case ? -1 : left.case > right.case ? 1 : 0) ||
      armOrder.indexOf(left.arm) - armOrder.indexOf(right.arm) ||
      left.trial - right.trial,
  );
}

/** One workspace a skill; where several suites are about it, one a suite. */
function folderOf(suite: EvalSuite, { suites, iteration }: WorkspaceOptions): string {
  const [skill = suite.name] = suite.skills;
  const alone = suites.filter(({ skills, name }) => pathPart(skills[0] ?? name) === pathPart(skill)).length === 1;
  return `${pathPart(alone ? skill : suite.name)}-workspace/iteration-${iteration}`;
}
