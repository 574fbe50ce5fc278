import type { OutputCheck } from '../case/expectations.js';
import type { LeftFile } from '../results/eval-result.js';
import type { CheckPorts } from './check-ports.js';
import type { TrialChecks } from './trial-checks.js';

/** What the output of a trial is. */
export interface OutputToCheck {
  /** What the person said, for a judge. */
  readonly task: readonly string[];
  readonly answers: readonly string[];
  /** @default nothing */
  readonly left?: readonly LeftFile[] | undefined;
}

/** Holds answers and files to what is expected of them, one result a check, in their order. All rubrics are put to the judge at once. @throws as `checkTrial`. */
export async function checkOutput(
  checks: readonly OutputCheck[],
  output: OutputToCheck,
  ports: CheckPorts & { readonly signal: AbortSignal },
): Promise<TrialChecks> {
  throw new Error(`${checks.length} ${output.answers.length} ${String(ports.signal)}`);
}
