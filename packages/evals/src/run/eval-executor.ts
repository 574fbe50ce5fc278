import type { EvalJob } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';

/** Does the jobs, here or elsewhere. */
export interface EvalExecutor {
  /**
   * Gives the result of each job once, in any order; where `signal` aborts, it ends early with those that there are. A job
   * whose key was done before may be answered with that result.
   *
   * @throws what keeps it from going on at all, as a queue that cannot be reached.
   */
  execute(
    jobs: readonly EvalJob[],
    work: (job: EvalJob, options: { readonly signal: AbortSignal }) => Promise<EvalResult>,
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<EvalResult>;
}
