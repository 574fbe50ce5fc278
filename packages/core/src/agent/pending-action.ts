import type { AgentAction } from '../model/action.js';
import type { RunState } from './run-state.js';

/** A tool that was to be called, or a script that was to be run. */
export type PendingAction = Extract<AgentAction, { readonly kind: 'call_tool' | 'run_script' }>;

/**
 * The action that a request ended with since nobody could be asked for a yes, and after which nothing came: a run that goes
 * on begins with it. What a child run wanted is not among it: it did other things before, which are not to be done again.
 */
export function pendingAction({ audit, conversation, answer }: RunState): PendingAction | undefined {
  const last = audit.at(-1);
  if (last === undefined || (answer !== undefined && answer.stop !== 'approval_required')) return undefined;
  const { action, approval, error } = last;
  // A tool may call what went wrong with it anything: what counts is that somebody was to be asked, and nobody could be.
  if (approval?.decision.kind !== 'unavailable' || approval.decision.code !== undefined) return undefined;
  if (error?.code !== 'APPROVAL_REQUIRED') return undefined;
  const said = conversation.findLast(({ kind }) => kind !== 'answer');
  if (said?.kind !== 'observation' || said.id !== last.id) return undefined;
  return action.kind === 'call_tool' || action.kind === 'run_script' ? action : undefined;
}
