import type { EvalPlan } from '../plan/eval-job.js';
import { isOfJob } from '../plan/is-of-job.js';
import type { EvalResult } from './eval-result.js';

/**
 * Of a log, what counts for a plan: of each of its jobs the result that was added last, in the order of the plan. Jobs
 * without a result are missing, and results of other jobs left out; so is one that bears the key of a job and is of another.
 */
export function selectResults(plan: Pick<EvalPlan, 'jobs'>, results: readonly EvalResult[]): readonly EvalResult[] {
  const last = new Map(results.map((result) => [result.key, result]));
  return plan.jobs.flatMap((job) => {
    const result = last.get(job.key);
    return result !== undefined && isOfJob(result, job) ? [result] : [];
  });
}
