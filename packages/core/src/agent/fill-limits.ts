import type { BudgetLimits } from './budget.js';

/** A limit that is none, as a record can hold it: JSON has no infinite number. */
export const noLimit: number = Number.MAX_SAFE_INTEGER;

/** The limits that hold where nothing else is said. */
export const defaultLimits: BudgetLimits = {
  turns: 12,
  toolCalls: 30,
  scripts: 10,
  tokens: noLimit,
  cost: noLimit,
  wallTime: 600_000,
  consecutiveFailures: 4,
};

/** All limits, those that are given and the defaults. What is no number, or negative, is the default; what is infinite is {@link noLimit}. */
export function fillLimits(given: Partial<BudgetLimits>): BudgetLimits {
  const limit = (name: keyof BudgetLimits): number => {
    const value = given[name];
    if (value === undefined || Number.isNaN(value) || value < 0) return defaultLimits[name];
    return Math.min(value, noLimit);
  };
  return {
    turns: limit('turns'),
    toolCalls: limit('toolCalls'),
    scripts: limit('scripts'),
    tokens: limit('tokens'),
    cost: limit('cost'),
    wallTime: limit('wallTime'),
    consecutiveFailures: limit('consecutiveFailures'),
  };
}

/** The limits that are none left out. */
export function givenLimits(limits: BudgetLimits): Partial<BudgetLimits> {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit < noLimit));
}
