import { SkillsError, type RunEvent } from '@skillpack/core';
import { isAgentFault } from './judge-end.js';

/**
 * What kept the model from being asked in a run that a skill had of its own: the run above goes on without it, and what it
 * then says is no measure of the agent.
 */
export function lostChild(events: readonly RunEvent[]): SkillsError | undefined {
  const failures = new Map<string, RunEvent & { readonly type: 'model_failed' }>();
  for (const event of events) {
    if (event.type === 'model_failed') failures.set(event.run, event);
    if (event.type !== 'subagent_finished' || event.stop !== 'model_failed') continue;
    const error = failures.get(event.child)?.error;
    if (error === undefined || isAgentFault(error.code)) continue;
    const { code, message, hint, retryAfter } = error;
    return new SkillsError(code, message, { hint, ...(retryAfter !== undefined && { data: { retryAfter } }) });
  }
  return undefined;
}
