import { mayHaveBegun } from './may-have-begun.js';
import type { LostSpending, RunEvent } from './run-event.js';

/**
 * What the events that a resume leaves out took of the limits, those of child runs included; `undefined` where that is
 * nothing. A script that waited for a yes was not begun.
 */
export function lostSpending(
  events: readonly RunEvent[],
  { after }: { readonly after: number },
): LostSpending | undefined {
  const lost = events.filter(({ seq }) => seq > after);
  const turns = lost.filter(({ type }) => type === 'turn_started').length;
  if (turns === 0) return undefined;
  const actions = lost.flatMap((event) => (event.type === 'action_started' ? [event] : []));
  const taken = actions.filter(({ action }) => action.kind !== 'final_answer' && action.kind !== 'ask_user');
  const scripts = taken.filter((event) => event.action.kind === 'run_script' && mayHaveBegun(event, lost));
  const usages = lost.flatMap((event) => (event.type === 'model_answered' ? [event.usage] : []));
  return {
    turns,
    toolCalls: taken.length,
    scripts: scripts.length,
    tokens: usages.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
    cost: usages.reduce((sum, { cost = 0 }) => sum + cost, 0),
  };
}
