import type { EvalResult } from '../results/eval-result.js';
import type { PlanOptions } from '../run/eval-options.js';
import type { EvalThresholds } from '../score/eval-thresholds.js';
import type { EvalPorts } from '../trial/eval-ports.js';

/** What suites are run with in vitest. */
export interface EvalSuitePorts extends Omit<EvalPorts, 'clock' | 'sha256' | 'results'> {
  /** @default that of the machine */
  readonly clock?: EvalPorts['clock'] | undefined;
  /** @default that of Node */
  readonly sha256?: EvalPorts['sha256'] | undefined;
  /**
   * Where results are kept, so that the next run goes on from there: a file, which is closed at the end of the suite, or a
   * log. Suites that run at the same time need one each.
   *
   * @default nowhere: everything is run
   */
  readonly results?: EvalPorts['results'] | string | undefined;
}

/** What is run in vitest, and what fails. */
export interface EvalSuiteOptions extends PlanOptions {
  /** What the block of tests is called. @default the names of the suites */
  readonly title?: string | undefined;
  /** What the gate allows. @default every trial passes */
  readonly thresholds?: EvalThresholds | undefined;
  /** Earlier results that the gate compares with, or the file they are in. @default nothing is compared */
  readonly baseline?: string | readonly EvalResult[] | undefined;
  /**
   * Whether a trial that failed fails its test. Without, its test says so in a note, and only the gate fails: for models that
   * are not always right, and `thresholds` that say how often they have to be.
   *
   * @default true
   */
  readonly strict?: boolean | undefined;
  /** Whether trials run at the same time, as many as vitest allows (`maxConcurrency`). @default true */
  readonly concurrent?: boolean | undefined;
  /** How often a trial is begun again that failed for want of an infrastructure. @default 2 */
  readonly retries?: number | undefined;
  /** Milliseconds for a trial, its retries included. @default 300_000 */
  readonly timeout?: number | undefined;
}
