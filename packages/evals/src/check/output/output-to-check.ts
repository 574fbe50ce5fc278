import type { LeftFile } from '../../results/eval-result.js';

/** What the output of a trial is. */
export interface OutputToCheck {
  /** What the person said, line by line. */
  readonly task: readonly string[];
  /** One a line; fewer where it ended early. */
  readonly answers: readonly string[];
  /** @default nothing */
  readonly left?: readonly LeftFile[] | undefined;
  /** Whether another check has failed: then no judge is asked. @default false */
  readonly failed?: boolean | undefined;
}
