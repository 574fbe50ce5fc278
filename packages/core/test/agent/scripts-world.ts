import type { ApprovalDecision, ApprovalRequest, ApprovalScope, Approver } from '../../src/policy/approver.js';
import type { ScriptOutcome, ScriptRequest, ScriptRunner } from '../../src/tool/script-runner.js';

/** An approver that gives one answer after another, the last one for ever, and keeps what it was asked. */
export function approver(
  ...decisions: readonly ApprovalDecision[]
): Approver & { readonly asked: readonly ApprovalRequest[] } {
  const asked: ApprovalRequest[] = [];
  return {
    asked,
    decide: async (request) => {
      asked.push(request);
      const decision = decisions[Math.min(asked.length, decisions.length) - 1];
      if (decision === undefined) throw new Error('Nobody is there.');
      return decision;
    },
  };
}

export function yes(scope: ApprovalScope): ReturnType<typeof approver> {
  return approver({ kind: 'approved', scope, by: 'test' });
}

/** A runner that says how a script ended, without one. */
export function echoRunner(
  outcome: Partial<Omit<ScriptOutcome, 'stdout' | 'stderr'>> & {
    readonly stdout?: string;
    readonly stderr?: string;
  } = {},
): ScriptRunner & { readonly ran: readonly ScriptRequest[] } {
  const ran: ScriptRequest[] = [];
  const stream = (text: string) => {
    const bytes = new TextEncoder().encode(text);
    return { bytes, size: bytes.length };
  };
  return {
    ran,
    run: async (request) => {
      ran.push(request);
      const { stdout = 'out', stderr = '', ...rest } = outcome;
      return {
        runner: 'echo',
        command: ['node', request.path, ...request.args],
        exitCode: 0,
        signal: undefined,
        timedOut: false,
        ...rest,
        stdout: stream(stdout),
        stderr: stream(stderr),
      };
    },
  };
}
