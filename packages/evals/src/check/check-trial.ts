import type { RunEvent } from '@skillpack/core';
import type { EvalCase } from '../case/eval-case.js';
import type { LeftFile, TrialSpent } from '../results/eval-result.js';
import type { OutputCheck } from '../case/expectations.js';
import { checkActions } from './check-actions.js';
import { checkLimits } from './check-limits.js';
import { checkOutput } from './check-output.js';
import type { CheckPorts } from './check-ports.js';
import { checkPromises, checkStreaming } from './check-promises.js';
import type { CheckResult } from './check-result.js';
import { checkSkills } from './check-skills.js';
import { makeCheck } from './make-check.js';
import { describeCheck } from './output/describe-check.js';
import type { TrialChecks } from './trial-checks.js';

/** A trial that ran, as far as checks look at it. */
export interface TrialToCheck {
  readonly case: EvalCase;
  /** The whole record of its run, with those of child runs; of a run that was resumed, also what was left out. */
  readonly events: readonly RunEvent[];
  /**
   * What was answered to each line of the person, as the record holds it; fewer than lines where it ended early. What core
   * says where it came to no end (`degraded`) is none.
   */
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
 * skills, that is skills, actions and limits; what else it expects is not judged.
 *
 * @throws what the judge throws, and `INTERRUPTED` where it was cancelled. What a case asks for in vain, as a pattern that
 * is none, throws nothing: such a check is not judged, and says why.
 */
export async function checkTrial(
  trial: TrialToCheck,
  ports: CheckPorts,
  options: { readonly signal: AbortSignal },
): Promise<TrialChecks> {
  const { case: evalCase, events, spent } = trial;
  const { expected, limits } = evalCase;
  const checks = [
    ...(expected.skills === undefined ? [] : checkSkills(expected.skills, events)),
    ...checkActions(expected.actions, events),
    ...checkLimits(limits, events, spent),
  ];
  if (evalCase.kind === 'trigger') return { checks: [...checks, ...expected.output.map(endedBefore)] };
  const task = evalCase.conversation.map(({ input }) => input);
  const { answers, left, streamed } = trial;
  const promises = checkPromises(expected, events);
  const streaming = streamed === undefined ? [] : [checkStreaming(streamed, events)];
  const failed = [...checks, ...promises, ...streaming].some(({ verdict }) => verdict === 'failed');
  const output = await checkOutput(expected.output, { task, answers, left, failed }, { ...ports, ...options });
  return {
    checks: [...checks, ...promises, ...output.checks, ...streaming],
    ...(output.judge !== undefined && { judge: output.judge }),
  };
}

function endedBefore(check: OutputCheck): CheckResult {
  const kind = check.kind === 'rubric' ? 'rubric' : 'output';
  const evidence = 'A trial of the kind trigger ends with the choice of skills.';
  return makeCheck({ kind, text: describeCheck(check), verdict: 'not_judged', evidence });
}
