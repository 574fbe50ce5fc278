import type { RunEvent } from '@skillpack/core';
import type { EvalCase } from '../case/eval-case.js';
import type { LeftFile, TrialSpent } from '../results/eval-result.js';
import type { CheckPorts } from './check-ports.js';
import type { TrialChecks } from './trial-checks.js';

/** A trial that ran, as far as checks look at it. */
export interface TrialToCheck {
  readonly case: EvalCase;
  /** The whole record of its run, with those of child runs; of a run that was resumed, also what was left out. */
  readonly events: readonly RunEvent[];
  /** What was answered to each line of the person, as the record holds it; fewer than lines where it ended early. */
  readonly answers: readonly string[];
  /**
   * What `onAnswer` told of each of these answers, all pieces together: held to be the answer; of one that is degraded, to
   * be nothing. @default nobody listened, and that is not checked
   */
  readonly streamed?: readonly string[] | undefined;
  readonly spent: Omit<TrialSpent, 'judge'>;
  /** What the agent left in the workspace: what a judge is shown. @default nothing */
  readonly left?: readonly LeftFile[] | undefined;
}

/**
 * Holds a trial to everything that its case expects. Of a case of the kind `trigger`, whose run ends with the choice of
 * skills, that is skills, actions and limits alone.
 *
 * @throws what the judge throws, and `INTERRUPTED` where it was cancelled. What a case asks for in vain, as a pattern that
 * is none, throws nothing: such a check is not judged, and says why.
 */
export async function checkTrial(
  trial: TrialToCheck,
  ports: CheckPorts,
  options: { readonly signal: AbortSignal },
): Promise<TrialChecks> {
  throw new Error(`${trial.case.id} ${String(ports.judge)} ${String(options.signal.aborted)}`);
}
