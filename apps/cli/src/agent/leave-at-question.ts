import { SkillsError, type ApprovalDecision, type ApprovalRequest, type Approver } from '@skillpack/core';

/**
 * An approver that answers nothing where nobody can be asked: the run waits at its question, and its record ends there,
 * once whoever is told of it lets go of that.
 *
 * @param leave told of the question that stays open.
 */
export function leaveAtQuestion(approver: Approver, leave: (request: ApprovalRequest) => void): Approver {
  return {
    decide: async (request, how) => {
      const decision = await approver.decide(request, how);
      if (decision.kind !== 'unavailable') return decision;
      leave(request);
      return untilCancelled(how.signal);
    },
  };
}

async function untilCancelled(signal: AbortSignal | undefined): Promise<ApprovalDecision> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new SkillsError('INTERRUPTED', 'The question was left open.'));
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}
