import type { EvalArm, EvalJob, EvalShard } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';
import type { EvalExecutor } from './eval-executor.js';

/** What is run. */
export interface PlanOptions {
  /** As whoever opens models names them; at least one. */
  readonly models: readonly string[];
  /** @default ['with_skill'] */
  readonly arms?: readonly EvalArm[] | undefined;
  /** Trials of each case that does not say so itself. @default 1 */
  readonly trials?: number | undefined;
  /** Whether a case is run. @default all are */
  readonly filter?:
    | ((place: { readonly suite: string; readonly case: string; readonly tags: readonly string[] }) => boolean)
    | undefined;
  /** What else the outcome depends on, such as the version of a system text: part of every key. @default '' */
  readonly variant?: string | undefined;
}

/** How it is run. */
export interface RunEvalsOptions {
  readonly signal?: AbortSignal | undefined;
  /** Trials at the same time, of the default executor. @default 4 */
  readonly concurrency?: number | undefined;
  /** How often a trial is begun again that failed for want of an infrastructure. @default 2 */
  readonly retries?: number | undefined;
  /** @default in this process */
  readonly executor?: EvalExecutor | undefined;
  /** @default everything */
  readonly shard?: EvalShard | undefined;
  /** Whether results that are there already are run anew. @default false */
  readonly fresh?: boolean | undefined;
  /** Told of each result once it is in the log, and of each that was there already. What it throws ends the run. */
  readonly onResult?: ((result: EvalResult, how: { readonly reused: boolean }) => void) | undefined;
  /** Told when a trial begins. */
  readonly onStart?: ((job: EvalJob) => void) | undefined;
}
