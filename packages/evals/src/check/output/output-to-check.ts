import type { LeftFile } from '../../results/eval-result.js';

/** What the output of a trial is. */
export interface OutputToCheck {
  /** What the person said, for a judge. */
  readonly task: readonly string[];
  readonly answers: readonly string[];
  /** @default nothing */
  readonly left?: readonly LeftFile[] | undefined;
}
