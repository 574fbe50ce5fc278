import type { JudgeSpent } from '../results/eval-result.js';
import type { CheckResult } from './check-result.js';

/** What came of the checks of a trial. */
export interface TrialChecks {
  /** Skills, actions, limits, disclosure, approvals, then the output in the order of the case. */
  readonly checks: readonly CheckResult[];
  /** Where a judge was asked. */
  readonly judge?: JudgeSpent | undefined;
}
