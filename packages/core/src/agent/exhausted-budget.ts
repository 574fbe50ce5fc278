import type { AgentAction } from '../model/action.js';
import type { EarlyStopReason } from './budget.js';
import { noLimit } from './fill-limits.js';
import type { RunSettings } from './run-settings.js';
import type { RunState } from './run-state.js';

/** The limit that leaves no room for another turn; `undefined` while there is room. */
export function exhaustedBudget(
  { spent, limits, answer, unpriced }: RunState,
  { unknownCost }: Pick<RunSettings, 'unknownCost'>,
): EarlyStopReason | undefined {
  // Whoever goes on with what was given up wants it tried anew.
  const failures = answer === undefined ? spent.consecutiveFailures : 0;
  if (failures >= limits.consecutiveFailures) return 'max_consecutive_failures';
  if (spent.turns >= limits.turns) return 'max_turns';
  if (spent.tokens >= limits.tokens) return 'max_tokens';
  if (spent.cost >= limits.cost) return 'max_cost';
  // It may be any cost.
  if (unpriced === true && unknownCost === 'end' && limits.cost < noLimit) return 'max_cost';
  return spent.wallTime >= limits.wallTime ? 'max_wall_time' : undefined;
}

/** The limit that leaves no room for an action; `undefined` while there is room. An answer always has room. */
export function exhaustedFor(action: AgentAction, { spent, limits }: RunState): EarlyStopReason | undefined {
  if (action.kind === 'final_answer' || action.kind === 'ask_user') return undefined;
  if (spent.toolCalls >= limits.toolCalls) return 'max_tool_calls';
  return action.kind === 'run_script' && spent.scripts >= limits.scripts ? 'max_scripts' : undefined;
}
