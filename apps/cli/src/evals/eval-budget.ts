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

/** Whether a model costs nothing: it plays what was written, or what was recorded. */
export function isFree(model: string): boolean {
  return /^(?:scripted|recorded)(?::|$)/u.test(model);
}

/**
 * Refuses models that may cost something where nobody has said how much.
 *
 * @throws `USAGE`.
 */
export function refuseWithoutBudget(models: readonly string[], { cost, calls }: EvalChoice['budget']): void {
  const [first] = models.filter((model) => !isFree(model));
  if (first === undefined || cost !== undefined || calls !== undefined) return;
  throw new SkillsError('USAGE', `${first} may cost something, and nobody has said how much.`, {
    hint: 'Nothing was asked. Say --budget 2 for two US dollars in all, or --max-calls 500; a call that does not fit is not made.',
    data: { models },
  });
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
