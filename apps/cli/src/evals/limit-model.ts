import { SkillsError, type Clock, type ModelAdapter } from '@skillpack/core';
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
  const { cost, calls } = budget;
  try {
    return withBudget(slow, {
      cost: cost === undefined ? undefined : cost / sharers,
      calls: calls === undefined ? undefined : Math.floor(calls / sharers),
    });
  } catch (error) {
    if (!SkillsError.is(error, 'USAGE') || cost === undefined) throw error;
    const { code, message, data } = error;
    const hint = 'Say --max-calls instead of --budget, or give its prices in your settings, by models.';
    throw new SkillsError(code, message, { hint, cause: error, data });
  }
}
