import { percentileBootstrap, type BootstrapOptions } from './percentile-bootstrap.js';
import type { Interval } from './rate.js';

/**
 * The percentile interval of the mean of differences of pairs (Efron 1979, Ann. Statist. 7:1-26; Efron and Tibshirani 1993,
 * An Introduction to the Bootstrap, section 13.3). `undefined` without a pair.
 *
 * Of differences that are all the same it has no width, however few they are: see {@link adjustedBootstrap}.
 *
 * @throws `RangeError` for options that cannot be.
 */
export function pairedBootstrap(differences: readonly number[], options: BootstrapOptions = {}): Interval | undefined {
  const values = Float64Array.from(differences);
  return percentileBootstrap(
    values.length,
    (drawn) => {
      let sum = 0;
      for (const at of drawn) sum += values[at] ?? 0;
      return sum / values.length;
    },
    options,
  );
}

/**
 * The paired bootstrap over the pairs and two more, one that differs by +1 and one by −1: what a few pairs that do not
 * differ cannot say is so not said. Of pairs that differ by −1, 0 or 1 it has the variance of the adjusted Wald interval of
 * Bonett and Price (2012, J. Educ. Behav. Stat. 37:479-488).
 *
 * @throws as {@link pairedBootstrap}.
 */
export function adjustedBootstrap(
  differences: readonly number[],
  options: BootstrapOptions = {},
): Interval | undefined {
  return differences.length === 0 ? undefined : pairedBootstrap([...differences, 1, -1], options);
}
