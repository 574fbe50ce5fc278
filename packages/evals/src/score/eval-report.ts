import type { Digest } from '@skillpack/core';
import type { EvalArm } from '../plan/eval-job.js';
import type { EvalComparison } from '../gate/eval-comparison.js';
import type { JudgeSpent, TrialOutcome } from '../results/eval-result.js';
import type { Interval, Rate } from '../statistics/rate.js';

/** What a set of results comes to: what every report shows. Plain JSON. */
export interface EvalReport {
  readonly formatVersion: 1;
  readonly title: string;
  /** When the newest result was begun, in UTC; `undefined` without any. */
  readonly at?: string | undefined;
  readonly plan?: Digest | undefined;
  readonly verdict: EvalVerdict;
  readonly counts: OutcomeCounts;
  /** Distinct, in the order of the plan. */
  readonly suites: readonly string[];
  readonly models: readonly string[];
  readonly arms: readonly EvalArm[];
  /** One for each model and arm that has cases which say what skills they want. */
  readonly triggers: readonly TriggerScore[];
  /** One for each model and arm that has cases of the kind `task`. */
  readonly tasks: readonly TaskScore[];
  /** One for each model that ran two arms. */
  readonly lifts: readonly Lift[];
  /** In the order of the plan. */
  readonly cases: readonly CaseScore[];
  readonly spent: ReportSpent;
  /** With a baseline. @default there was none */
  readonly comparison?: EvalComparison | undefined;
}

/**
 * What is said of all of it.
 *
 * - `passed`: every trial that could be scored passed or is within what is allowed, and nothing got worse;
 * - `failed`: something failed, or got worse;
 * - `invalid`: too little could be scored to say anything: no number in the report counts;
 * - `incomplete`: a budget, or somebody, ended it before its end.
 */
export interface EvalVerdict {
  readonly kind: 'passed' | 'failed' | 'invalid' | 'incomplete';
  /** Each a sentence with its numbers; at least one. */
  readonly reasons: readonly string[];
}

/** How many trials ended how. */
export type OutcomeCounts = { readonly [Outcome in TrialOutcome]: number } & {
  /** Jobs of the plan; results that there are may be fewer. */
  readonly planned: number;
  /** Of the results, those that an earlier run had left. */
  readonly reused: number;
};

/**
 * How well skills are chosen. A trial counts as fired where it chose what its case wants; trials that are `inconclusive`,
 * `error` or `stopped` count nowhere but in their own number. The arm `without_skill` has none: what is wanted is not there.
 */
export interface TriggerScore {
  readonly model: string;
  readonly arm: EvalArm;
  /** Of trials whose case wants a skill: those that chose it. */
  readonly truePositives: number;
  readonly falseNegatives: number;
  /** Of trials whose case wants none, or forbids some: those that chose what they must not. */
  readonly falsePositives: number;
  readonly trueNegatives: number;
  readonly inconclusive: number;
  readonly errors: number;
  readonly precision: Rate;
  readonly recall: Rate;
  readonly specificity: Rate;
  /**
   * `undefined` where precision or recall is. With an interval by the bootstrap over cases, seeded; where nothing is wrong,
   * or nothing right, by that of Wilson over TP / (TP + FP + FN).
   */
  readonly f1: { readonly value: number; readonly interval: Interval | undefined } | undefined;
  /** By skill that is wanted or was chosen, by name. */
  readonly skills: readonly SkillScore[];
  /** What was wanted against what was chosen. `null`: none. A trial that chose several counts once for each. */
  readonly confusion: readonly ConfusionCell[];
}

/** How well one skill is chosen. */
export interface SkillScore {
  readonly skill: string;
  readonly precision: Rate;
  readonly recall: Rate;
}

/** How often one skill was chosen where another one was wanted, or the same. */
export interface ConfusionCell {
  readonly wanted: string | null;
  readonly fired: string | null;
  readonly count: number;
  /** Of these, the trials in which that is no mistake: their case lets it be chosen besides, or instead. @default 0 */
  readonly allowed?: number | undefined;
}

/** How well tasks are done. */
export interface TaskScore {
  readonly model: string;
  readonly arm: EvalArm;
  /** Of trials that passed or failed. */
  readonly passRate: Rate;
  /** Of the checks of these trials. */
  readonly checkRate: Rate;
  /** By number of trials k, for each k that every case has trials for: the mean over cases of the unbiased estimates. */
  readonly passAtK: readonly KEstimate[];
  /** As `passAtK`: that all k trials pass, and not only one of them. */
  readonly passHatK: readonly KEstimate[];
}

/** An estimate for k trials. */
export interface KEstimate {
  readonly k: number;
  readonly value: number;
  /** How many cases it is the mean of. */
  readonly cases: number;
}

/**
 * How much better one arm is than another, paired by case: mean of the differences of their pass rates, `arm` minus
 * `against`. Against `without_skill` a trial passes by what came out, whatever is expected of skills and actions: cases that
 * expect nothing of the output are no pairs.
 */
export interface Lift {
  readonly model: string;
  readonly arm: EvalArm;
  readonly against: EvalArm;
  /** Cases that both arms have trials of that were scored. */
  readonly pairs: number;
  /** −1 to 1; `undefined` without a pair. */
  readonly value: number | undefined;
  /** At 95 %, by the paired bootstrap over the cases and two more that differ by +1 and −1; seeded. */
  readonly interval: Interval | undefined;
}

/** All trials of one case. */
export interface CaseScore {
  readonly suite: string;
  readonly case: string;
  readonly kind: 'trigger' | 'task';
  readonly title?: string | undefined;
  readonly tags: readonly string[];
  readonly cells: readonly CaseCell[];
}

/** The trials of a case with one model and arm. */
export interface CaseCell {
  readonly model: string;
  readonly arm: EvalArm;
  /** In the order of the trials. */
  readonly outcomes: readonly TrialOutcome[];
  /** Keys of these results. */
  readonly keys: readonly Digest[];
  readonly passRate: Rate;
  /** Texts of the checks that failed, with how often; those that failed most first. */
  readonly failures: readonly { readonly text: string; readonly count: number }[];
}

/** What all results took. */
export interface ReportSpent {
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; `undefined` where the price of a call is not known. */
  readonly cost?: number | undefined;
  /** Milliseconds of all trials together. */
  readonly duration: number;
  readonly judge?: JudgeSpent | undefined;
}
