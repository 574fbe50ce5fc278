import type { RunEvent } from './run-event.js';

/**
 * Whether what an action wanted to do may have been begun, by what a record says that ends while it was under way. Whoever
 * was asked and had not said yes kept it from that, and so did a judgement; what is only measured yet is judged later.
 *
 * @param lost the events from the action on.
 */
export function mayHaveBegun(
  { run, id }: RunEvent & { readonly type: 'action_started' },
  lost: readonly RunEvent[],
): boolean {
  const own = lost.filter((event) => event.run === run);
  const judged = own.find((event) => event.type === 'tool_judged' && event.id === id);
  if (judged?.type === 'tool_judged') return judged.verdict === 'allow';
  const asked = own.some((event) => event.type === 'approval_requested' && event.request.id === id);
  const answered = own.find((event) => event.type === 'approval_decided' && event.id === id);
  if (asked) return answered?.type === 'approval_decided' && answered.decision.kind === 'approved';
  return !own.some(({ type }) => type === 'skill_measured');
}
