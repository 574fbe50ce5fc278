import { expectOptions, SkillsError } from '@skillpack/core';
import type { EvalSuite } from '../case/eval-case.js';
import type { CompareOptions } from '../gate/compare-options.js';
import { compareResults } from '../gate/compare-results.js';
import { comparedResults } from '../gate/pair-results.js';
import { expectSeed } from '../gate/gate-settings.js';
import type { EvalArm, EvalPlan } from '../plan/eval-job.js';
import type { EvalResult, TrialOutcome } from '../results/eval-result.js';
import { caseTrials, distinct } from './case-trials.js';
import type { EvalReport, OutcomeCounts } from './eval-report.js';
import type { EvalThresholds } from './eval-thresholds.js';
import { describeGiven, expectResults } from './expect-results.js';
import { judgeReport } from './judge-report.js';
import { latestResults } from './latest-results.js';
import { scoreCases } from './score-cases.js';
import { scoreLifts } from './score-lifts.js';
import { scoreTasks } from './score-tasks.js';
import { scoreTriggers } from './score-triggers.js';
import { sumSpent } from './sum-spent.js';

/** How results are scored. */
export interface ScoreOptions {
  /** What the report is called. */
  readonly title: string;
  /**
   * What was to be run: results of other jobs do not count, and jobs without a result make the report `incomplete`.
   * @default what there are results of
   */
  readonly plan?: EvalPlan | undefined;
  /** For the titles of the cases. @default they have none */
  readonly suites?: readonly EvalSuite[] | undefined;
  /** Earlier results that these are compared with. @default nothing is compared */
  readonly baseline?: readonly EvalResult[] | undefined;
  /** How they are compared. */
  readonly compare?: CompareOptions | undefined;
  /** How many of the results an earlier run had left. @default 0 */
  readonly reused?: number | undefined;
  /** What is allowed. @default every trial passes */
  readonly thresholds?: EvalThresholds | undefined;
  /** Of the bootstrap: a whole number from 0. @default 1 */
  readonly seed?: number | undefined;
}

const optionNames: Readonly<Record<keyof ScoreOptions, true>> = {
  title: true,
  plan: true,
  suites: true,
  baseline: true,
  compare: true,
  reused: true,
  thresholds: true,
  seed: true,
};

const thresholdNames: Readonly<Record<keyof EvalThresholds, true>> = {
  minPassRate: true,
  minPassRateCompared: true,
  minPrecision: true,
  minRecall: true,
  minSpecificity: true,
  minF1: true,
  minScored: true,
  maxErrors: true,
};

/**
 * What results come to. Where there are several of one trial, the last one counts.
 *
 * @throws `USAGE` for options that cannot be, and for what is no list of results.
 */
export function scoreResults(results: readonly EvalResult[], options: ScoreOptions): EvalReport {
  expectOptions(options, { of: 'scoreResults', names: optionNames });
  const { title, plan, suites = [], baseline, compare, reused = 0, thresholds = {}, seed = 1 } = options;
  expectPlain(title, reused);
  expectThresholds(thresholds);
  expectSeed(seed, 'scoreResults');
  expectResults(results, { of: 'scoreResults' });
  if (baseline !== undefined) expectResults(baseline, { of: 'scoreResults', name: 'baseline' });
  expectParts(plan, suites);
  const counted = latestResults(results, plan);
  const places = plan?.jobs ?? counted;
  const cases = caseTrials(counted);
  const counts = countOutcomes(counted, { planned: places.length, reused });
  const triggers = scoreTriggers(cases, seed);
  const comparison = baseline === undefined ? undefined : compareResults(baseline, counted, compare);
  const compared = baseline === undefined ? undefined : comparedResults(baseline, counted);
  const at = counted
    .map((result) => result.at)
    .toSorted()
    .at(-1);
  return {
    formatVersion: 1,
    title,
    ...(at === undefined ? {} : { at }),
    ...(plan === undefined ? {} : { plan: plan.digest }),
    verdict: judgeReport({ results: counted, counts, triggers, comparison, compared, thresholds }),
    counts,
    suites: distinct(places.map(({ suite }) => suite)),
    models: distinct(places.map(({ model }) => model)),
    arms: distinct<EvalArm>(places.map(({ arm }) => arm)),
    triggers,
    tasks: scoreTasks(cases),
    lifts: scoreLifts(cases, seed),
    cases: scoreCases(cases, suites),
    spent: sumSpent(counted),
    ...(comparison === undefined ? {} : { comparison }),
  };
}

function countOutcomes(
  results: readonly EvalResult[],
  { planned, reused }: { readonly planned: number; readonly reused: number },
): OutcomeCounts {
  const count = (outcome: TrialOutcome): number => results.filter((result) => result.outcome === outcome).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    inconclusive: count('inconclusive'),
    error: count('error'),
    stopped: count('stopped'),
    planned,
    reused,
  };
}

/** What JavaScript may hand in for a number. */
function told(value: unknown): string {
  return typeof value === 'number' ? String(value) : `of the type ${typeof value}`;
}

function expectPlain(title: unknown, reused: unknown): void {
  if (typeof title !== 'string')
    throw new SkillsError('USAGE', `title of scoreResults is of the type ${typeof title}. A text was expected.`);
  if (!Number.isSafeInteger(reused) || Number(reused) < 0)
    throw new SkillsError('USAGE', `reused of scoreResults is ${told(reused)}. A whole number from 0 was expected.`);
}

/** As JavaScript may hand them in: text instead of what was read of it, one suite instead of a list. */
function expectParts(plan: Partial<EvalPlan> | null | undefined, suites: readonly EvalSuite[]): void {
  if (plan !== undefined && !Array.isArray(plan?.jobs))
    throw new SkillsError('USAGE', `plan of scoreResults is ${describeGiven(plan)}. A plan was expected.`, {
      hint: 'planEvals makes one, and parsePlan reads one.',
    });
  const given: unknown = suites;
  if (!Array.isArray(given) || !suites.every((suite) => Array.isArray((suite as Partial<EvalSuite> | null)?.cases)))
    throw new SkillsError(
      'USAGE',
      `suites of scoreResults ${Array.isArray(given) ? 'has what is none' : `is ${describeGiven(given)}`}. A list of suites was expected.`,
      { hint: 'parseSuite reads one; wait for it with await.' },
    );
}

function expectThresholds(thresholds: EvalThresholds): void {
  expectOptions(thresholds, { of: 'thresholds', names: thresholdNames });
  for (const [name, value] of Object.entries(thresholds as Readonly<Record<string, unknown>>))
    if (value !== undefined && !(typeof value === 'number' && value >= 0 && value <= 1))
      throw new SkillsError('USAGE', `${name} is ${told(value)}. A share from 0 to 1 was expected.`, {
        hint: 'Write 0.9 for 90 %.',
      });
}
