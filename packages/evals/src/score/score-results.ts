import type { EvalSuite } from '../case/eval-case.js';
import type { EvalPlan } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';
import type { CompareOptions } from '../gate/compare-results.js';
import type { EvalReport } from './eval-report.js';
import type { EvalThresholds } from './eval-thresholds.js';

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
  /** Of the bootstrap. @default 1 */
  readonly seed?: number | undefined;
}

/**
 * What results come to. Where there are several of one trial, the last one counts.
 *
 * @throws `USAGE` for options that cannot be.
 */
export function scoreResults(results: readonly EvalResult[], options: ScoreOptions): EvalReport {
  throw new Error(`Not written: ${results.length} ${options.title}.`);
}
