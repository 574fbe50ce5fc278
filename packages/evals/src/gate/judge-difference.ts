import { mcnemarTest } from '../statistics/mcnemar-test.js';
import { neededPairs } from '../statistics/needed-sizes.js';
import { adjustedBootstrap } from '../statistics/paired-bootstrap.js';
import type { Interval } from '../statistics/rate.js';
import { signFlipTest } from '../statistics/sign-flip-test.js';
import type { NeededNumbers } from './describe-needed.js';
import type { GateVerdict } from './eval-comparison.js';

/** One measure of one case in both, 0 to 1. */
export interface PairedValue {
  readonly before: number;
  readonly after: number;
}

/** What judges differences, with all defaults filled. */
export interface GateSettings {
  readonly alpha: number;
  readonly power: number;
  readonly margin: number;
  readonly seed: number;
}

/** A measure over all pairs. */
export interface MeasuredDifference {
  readonly pairs: number;
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  readonly interval: Interval | undefined;
  readonly lost: number;
  readonly won: number;
  readonly pValue: number;
}

// The sums of fractions differ from what they stand for in their last digits.
const tolerance = 1e-9;

/** Measures how pairs differ. */
export function measureDifference(values: readonly PairedValue[], { alpha, seed }: GateSettings): MeasuredDifference {
  const differences = values.map(({ before, after }) => after - before);
  const lost = values.filter(({ before, after }) => before > 0.5 && after <= 0.5).length;
  const won = values.filter(({ before, after }) => before <= 0.5 && after > 0.5).length;
  const single = differences.every(Number.isInteger);
  return {
    pairs: values.length,
    before: meanOf(values.map(({ before }) => before)),
    after: meanOf(values.map(({ after }) => after)),
    difference: meanOf(differences),
    interval: adjustedBootstrap(differences, { seed, confidence: 1 - alpha }),
    lost,
    won,
    pValue: single ? mcnemarTest(lost, won) : signFlipTest(differences, { seed }),
  };
}

/**
 * What a difference says: `no_change` where all of its interval matters to nobody; else `better` or `worse` where the
 * adjusted probability is at most the level; else `underpowered`.
 */
export function judgeDifference(
  { difference, interval }: Pick<MeasuredDifference, 'difference' | 'interval'>,
  adjusted: number,
  { alpha, margin }: GateSettings,
): GateVerdict {
  if (interval !== undefined && interval.low >= -margin - tolerance && interval.high <= margin + tolerance)
    return 'no_change';
  if (adjusted > alpha) return 'underpowered';
  return difference > 0 ? 'better' : 'worse';
}

/**
 * How many pairs like these show which difference, as fields of what is compared: that of the margin, and, where the one that
 * was seen is larger, that one, at the level that the first of `tests` tests is held to: by
 * the formula of Connor, with the mean square of the differences for the discordance. Two pairs that differ by +1 and −1
 * count as seen besides, so that pairs that do not differ at all do not promise that none ever will. Where as many there are
 * already, and cannot tell on which side of the margin the difference lies, it is how many would tell that.
 */
export function neededSizes(values: readonly PairedValue[], tests: number, settings: GateSettings): NeededNumbers {
  const { alpha, power, margin } = settings;
  const squares = values.reduce((sum, { before, after }) => sum + (after - before) ** 2, 0);
  const mean = Math.abs(meanOf(values.map(({ before, after }) => after - before)));
  const observed = (squares + 2) / (values.length + 2);
  const pairsFor = (difference: number): number =>
    neededPairs(
      { discordance: Math.min(1, Math.max(observed, difference)), difference },
      { alpha: alpha / Math.max(1, tests), power },
    );
  const forMargin = pairsFor(margin);
  const more = (difference: number): number => Math.max(pairsFor(difference), values.length + 1);
  const difference = forMargin > values.length ? margin : Math.max(mean, margin - mean);
  return {
    needed: more(difference),
    neededFor: difference,
    ...(mean > difference + tolerance ? { neededSeen: more(mean) } : {}),
  };
}

function meanOf(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
