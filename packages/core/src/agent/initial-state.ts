import type { Digest } from '../digest/is-digest.js';
import type { BudgetSpent } from './budget.js';
import { fillLimits } from './fill-limits.js';
import type { RunState } from './run-state.js';

/** Nothing of anything. */
export const nothingSpent: BudgetSpent = {
  turns: 0,
  toolCalls: 0,
  scripts: 0,
  tokens: 0,
  cost: 0,
  wallTime: 0,
  consecutiveFailures: 0,
};

/** The state of a run before its first event. */
export function initialState(id: string): RunState {
  return {
    id,
    phase: 'init',
    model: '',
    contextTokens: 0,
    index: undefined,
    request: undefined,
    turn: 0,
    plan: undefined,
    limits: fillLimits({}),
    spent: nothingSpent,
    totals: nothingSpent,
    activations: [],
    resources: [],
    disabled: [],
    conversation: [],
    compactedThrough: 0,
    grants: [],
    audit: [],
    answer: undefined,
    finished: false,
    at: undefined,
    seq: 0,
    // No event has it: the state holds none.
    hash: '' as Digest,
  };
}
