import type { EvalJob } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';

/** Does the jobs, here or elsewhere. */
export interface EvalExecutor {
  /**
   * Gives the result of each job once, in any order. A job whose key was done before may be answered with that result.
   *
   * Where `signal` aborts, nothing further is begun, and it ends early with the results that there are. Where it aborts
   * because a budget is spent, what is under way is worth its result: `cancelled` aborts only where that is to be ended, too
   * (without one, `signal` is it).
   *
   * @throws what keeps it from going on at all, as a queue that cannot be reached.
   */
  execute(
    jobs: readonly EvalJob[],
    work: (job: EvalJob, options: { readonly signal: AbortSignal }) => Promise<EvalResult>,
    options: { readonly signal: AbortSignal; readonly cancelled?: AbortSignal | undefined },
  ): AsyncIterable<EvalResult>;
}
