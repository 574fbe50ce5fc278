import type { EvalJob } from './eval-job.js';

/** A job that would count twice: the second one of a key, or of the same trial under another key. */
export function repeatedJob(jobs: readonly EvalJob[]): EvalJob | undefined {
  const seen = new Set<string>();
  return jobs.find(({ key, suite, case: id, arm, model, trial }) => {
    const before = seen.size;
    seen.add(key).add(JSON.stringify([suite, id, arm, model, trial]));
    return seen.size !== before + 2;
  });
}
