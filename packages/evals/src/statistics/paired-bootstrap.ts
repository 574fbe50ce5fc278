import type { Interval } from './rate.js';

/** How the bootstrap draws. */
export interface BootstrapOptions {
  /** A whole number from 0, below 2^32: the same seed draws the same, on every machine. @default 1 */
  readonly seed?: number | undefined;
  /** @default 10000 */
  readonly resamples?: number | undefined;
  /** Between 0 and 1. @default 0.95 */
  readonly confidence?: number | undefined;
}

/**
 * The percentile interval of the mean of differences of pairs (Efron 1979, Ann. Statist. 7:1-26; Efron and Tibshirani 1993,
 * An Introduction to the Bootstrap, section 13.3). `undefined` without a pair.
 */
export function pairedBootstrap(differences: readonly number[], options: BootstrapOptions = {}): Interval | undefined {
  throw new Error(`Not written: ${differences.length} ${options.seed}.`);
}
