import type { EvalJob } from './eval-job.js';

/** What one machine runs together: all arms and models of one trial of a case. */
export function groupOf({ suite, case: id, trial }: Pick<EvalJob, 'suite' | 'case' | 'trial'>): string {
  return JSON.stringify([suite, id, trial]);
}
