import type { EvalArm } from '../plan/eval-job.js';
import type { Interval } from '../statistics/rate.js';

/**
 * What a comparison with a baseline says.
 *
 * - `worse`, `better`: more so than chance explains, at the level that was asked for;
 * - `no_change`: the difference is smaller than what matters (`margin`), with the certainty asked for;
 * - `underpowered`: neither can be said with so few cases and trials; `needed` says how many would do.
 */
export type GateVerdict = 'better' | 'worse' | 'no_change' | 'underpowered';

/** Results compared with those of a baseline, paired by case, model and arm. */
export interface EvalComparison {
  readonly verdict: GateVerdict;
  /** Each a sentence with its numbers; at least one. */
  readonly reasons: readonly string[];
  readonly measures: readonly MeasureComparison[];
  /** Cases that the verdict goes by, of the model that has most; 0: nothing can be compared. @default nobody counted them */
  readonly compared?: number | undefined;
  /** Cases whose pass rate is another one, the largest drop first. */
  readonly changes: readonly CaseChange[];
  /** Cases that only one of both has, or that ask something else now: `suite/case`. They count in no measure. */
  readonly onlyInBaseline: readonly string[];
  readonly onlyHere: readonly string[];
}

/** One measure in both. */
export interface MeasureComparison {
  readonly name: 'pass_rate' | 'recall' | 'specificity';
  readonly model: string;
  readonly arm: EvalArm;
  readonly verdict: GateVerdict;
  /** Cases that both have, with trials that were scored. */
  readonly pairs: number;
  /** Means over these cases, 0 to 1. */
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /**
   * Of the difference, at 1 − alpha, by the paired bootstrap over the cases and two more that differ by +1 and −1; seeded.
   */
  readonly interval: Interval | undefined;
  /** Cases that were right in most of their trials before and are not now, and the other way round. */
  readonly lost: number;
  readonly won: number;
  /** Of the two-sided test by signs over the differences of the cases: with one trial a case, the exact test of McNemar. */
  readonly pValue: number;
  /** As `pValue`, adjusted by Holm for the measures that are judged together: what the verdict goes by. */
  readonly adjustedPValue?: number | undefined;
  /**
   * Cases (`suite/case`) that were right in all trials of the baseline and are not now, with a model that answers the same
   * each time: no chance is in that, and the measure is `worse` whatever the test says.
   *
   * @default there is none
   */
  readonly regressions?: readonly string[] | undefined;
  /** Of a model that answers the same each time: every case is as it was, and no chance is in that. @default it may be chance */
  readonly unchanged?: true | undefined;
  /** Of an `underpowered` one: how many cases with as many trials each would show a difference of `neededFor` with the power asked for. */
  readonly needed?: number | undefined;
  /** The `margin`; where as many cases are there already, what tells on which side of it the difference lies. */
  readonly neededFor?: number | undefined;
  /** How many would show the difference that was seen. @default it is no larger than `neededFor` */
  readonly neededSeen?: number | undefined;
}

/** A case whose pass rate is another one. */
export interface CaseChange {
  readonly suite: string;
  readonly case: string;
  readonly model: string;
  readonly arm: EvalArm;
  readonly before: number;
  readonly after: number;
  /** What explains it, from the trials that fail now: `chose docx instead of pdf (3 of 5 trials)`. */
  readonly why?: string | undefined;
}
