import type { ApprovalRequest, Approver } from '@skillpack/core';

/** An approver, and the question that nobody answered. */
export interface RememberingApprover extends Approver {
  /** What was asked last, where there was no answer to it; else `undefined`. */
  openQuestion(): ApprovalRequest | undefined;
}

/** Remembers the question that an approver has no answer to, since nobody can be asked. */
export function rememberOpenQuestion(approver: Approver): RememberingApprover {
  let open: ApprovalRequest | undefined;
  return {
    decide: async (request, how) => {
      open = undefined;
      const decision = await approver.decide(request, how);
      if (decision.kind === 'unavailable') open = request;
      return decision;
    },
    openQuestion: () => open,
  };
}
