import type { MeasureComparison } from './eval-comparison.js';

/** How many would do, and for what. */
export type NeededNumbers = Pick<MeasureComparison, 'needed' | 'neededFor' | 'neededSeen'>;

/**
 * How many would show which difference, within a sentence: `about 2790 would show a difference of 5.0 points, about 12 one of
 * 60.0 points as it was seen here`; `undefined` where that is not known.
 */
export function describeNeeded({ needed, neededFor, neededSeen }: NeededNumbers, seen: number): string | undefined {
  if (needed === undefined) return undefined;
  const which = neededFor === undefined ? '' : ` show a difference of ${size(neededFor)}`;
  const besides = neededSeen === undefined ? '' : `, about ${neededSeen} one of ${size(seen)} as it was seen here`;
  return `about ${needed} would${which === '' ? ' do' : which}${besides}`;
}

/** Points of per cent, without a sign: `5.0 points`. */
function size(difference: number): string {
  return `${(Math.abs(difference) * 100).toFixed(1)} points`;
}
