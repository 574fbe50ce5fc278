import { expectOptions } from '../errors/expect-options.js';
import { SkillsError } from '../errors/skills-error.js';
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

const fractional: ReadonlySet<keyof BudgetLimits> = new Set(['cost', 'wallTime']);

/** Infinite limits fit, too. */
function fits(name: keyof BudgetLimits, value: number): boolean {
  const isNumber = fractional.has(name) ? Number.isFinite(value) : Number.isInteger(value);
  return (isNumber && value >= 0) || value === Number.POSITIVE_INFINITY;
}

/**
 * All limits, those that are given and the defaults; what is infinite is {@link noLimit}.
 *
 * @throws `USAGE` for a limit that there is not, for what is neither a number from 0 on nor infinite, and for a fraction of what is counted.
 */
export function fillLimits(given: Partial<BudgetLimits>): BudgetLimits {
  expectOptions<object>(given, { of: 'limits', names: defaultLimits });
  const limit = (name: keyof BudgetLimits): number => {
    const value = given[name];
    if (value === undefined) return defaultLimits[name];
    if (fits(name, value)) return Math.min(value, noLimit);
    const number = fractional.has(name) ? 'number' : 'whole number';
    throw new SkillsError('USAGE', `The limit ${name} is ${value}; it has to be a ${number} from 0 on, or Infinity.`);
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
