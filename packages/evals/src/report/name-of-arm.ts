import type { EvalArm } from '../plan/eval-job.js';

const names: Readonly<Record<EvalArm, string>> = {
  with_skill: 'with skill',
  without_skill: 'without skill',
  old_skill: 'old skill',
};

/** What an arm is called in a report. */
export function nameOfArm(arm: EvalArm): string {
  return names[arm];
}
