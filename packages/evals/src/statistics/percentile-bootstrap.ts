import { MersenneTwister } from './mersenne-twister.js';
import type { Interval } from './rate.js';

/** How the bootstrap draws. */
export interface BootstrapOptions {
  /** A whole number from 0, below 2^32: the same seed draws the same, on every machine. @default 1 */
  readonly seed?: number | undefined;
  /** A whole number from 40. @default 10000; of more than 500 units fewer, so that it takes no longer, and at least 2000 */
  readonly resamples?: number | undefined;
  /** Between 0 and 1. @default 0.95 */
  readonly confidence?: number | undefined;
}

/**
 * The percentile interval of a statistic of so many units, by drawing as many of them again and again, each time with
 * replacement (Efron and Tibshirani 1993, An Introduction to the Bootstrap, section 13.3): of the B values in order, the
 * k-th from below and from above, with k the whole part of (B + 1) times half of what the interval leaves out. A resample of
 * which the statistic is `undefined` counts for nothing; where all are, the interval is `undefined`.
 *
 * @throws `RangeError` for options that cannot be.
 */
export function percentileBootstrap(
  units: number,
  statistic: (drawn: Uint32Array) => number | undefined,
  { seed = 1, resamples = resamplesOf(units), confidence = 0.95 }: BootstrapOptions = {},
): Interval | undefined {
  expectRange('seed', seed, Number.isInteger(seed) && seed >= 0 && seed < 0x1_0000_0000);
  expectRange('resamples', resamples, Number.isInteger(resamples) && resamples >= 40);
  expectRange('confidence', confidence, confidence > 0 && confidence < 1);
  if (units === 0) return undefined;
  const random = new MersenneTwister(seed);
  const drawn = new Uint32Array(units);
  const values = new Float64Array(resamples);
  let defined = 0;
  for (let resample = 0; resample < resamples; resample += 1) {
    for (let unit = 0; unit < units; unit += 1) drawn[unit] = random.below(units);
    const value = statistic(drawn);
    if (value === undefined) continue;
    values[defined] = value;
    defined += 1;
  }
  const sorted = values.subarray(0, defined).toSorted();
  const outside = Math.max(1, Math.floor(((defined + 1) * (1 - confidence)) / 2));
  const [low, high] = [sorted[outside - 1], sorted[defined - outside]];
  return low === undefined || high === undefined ? undefined : { low, high };
}

function resamplesOf(units: number): number {
  return Math.max(2_000, Math.min(10_000, Math.floor(5_000_000 / units)));
}

function expectRange(name: string, value: number, fits: boolean): void {
  if (!fits) throw new RangeError(`The bootstrap has no ${name} ${value}.`);
}
