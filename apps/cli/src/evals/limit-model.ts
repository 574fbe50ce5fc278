import type { Clock, ModelAdapter } from '@skillpack/core';
import { withBudget, withRateLimit } from '@skillpack/model-adapters';
import type { EvalChoice } from './read-eval-flags.js';

/** What a model of a provider may take. */
export interface SpendingLimits {
  readonly budget: EvalChoice['budget'];
  /** Calls that begin in any minute. @default as many as there are */
  readonly rpm: number | undefined;
  /** How many models share the budget: each may take an equal part, so that all of them stay within it. */
  readonly sharers: number;
}

/** A model that waits for its turn, and is not asked once its part of the budget is spent. @throws as `withBudget`. */
export function limitModel(
  model: ModelAdapter,
  ports: { readonly clock: Clock },
  { budget, rpm, sharers }: SpendingLimits,
): ModelAdapter {
  const slow = rpm === undefined ? model : withRateLimit(model, ports, { requestsPerMinute: rpm });
  if (budget.cost === undefined && budget.calls === undefined) return slow;
  return withBudget(slow, {
    cost: budget.cost === undefined ? undefined : budget.cost / sharers,
    calls: budget.calls === undefined ? undefined : Math.floor(budget.calls / sharers),
  });
}
