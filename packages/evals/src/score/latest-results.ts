import type { EvalPlan } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';

/**
 * The results that count: of each trial the last one, as a log is only ever added to. With a plan, those of its jobs, in its
 * order; without one, in the order of the first of each trial.
 */
export function latestResults(results: readonly EvalResult[], plan?: EvalPlan): readonly EvalResult[] {
  if (plan === undefined) return [...new Map(results.map((result) => [placeOf(result), result])).values()];
  const byKey = new Map(results.map((result) => [result.key, result]));
  return plan.jobs.flatMap(({ key }) => {
    const result = byKey.get(key);
    return result === undefined ? [] : [result];
  });
}

function placeOf({ suite, case: name, arm, model, trial }: EvalResult): string {
  return JSON.stringify([suite, name, arm, model, trial]);
}
