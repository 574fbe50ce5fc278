import type { EvalArm } from '../plan/eval-job.js';
import { distinct } from './case-trials.js';

/** The arms by which everything is judged: that with the skills as they are, or all where that is not there. */
export function gatingArms(arms: readonly EvalArm[]): readonly EvalArm[] {
  return arms.includes('with_skill') ? ['with_skill'] : distinct(arms);
}
