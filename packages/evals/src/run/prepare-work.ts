import type { EvalJob } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';
import type { EvalPorts } from '../trial/eval-ports.js';
import type { EvalWork } from './eval-work.js';

/** What jobs are done with: all ports but the log. */
export type WorkPorts = Omit<EvalPorts, 'results'>;

/** How a job is done. */
export interface WorkOptions {
  /** How often a trial is begun again that failed for want of an infrastructure. @default 2 */
  readonly retries?: number | undefined;
  /** Told when a trial begins. */
  readonly onStart?: ((job: EvalJob) => void) | undefined;
}

/** Does one job to its end, its retries included. */
export type DoJob = (job: EvalJob, options: { readonly signal: AbortSignal }) => Promise<EvalResult>;

/**
 * What a machine needs to do jobs of a plan: `runEvals` hands it to its executor, and whoever works for a queue makes it
 * from the same suites. What it returns throws `SHARD_MISMATCH` for a job that is not in the plan.
 *
 * @throws `USAGE` for options that make no sense, `SHARD_MISMATCH` for a plan that speaks of other suites.
 */
export function prepareWork(work: EvalWork, ports: WorkPorts, options: WorkOptions = {}): DoJob {
  void work;
  void ports;
  void options;
  throw new Error('not yet');
}
