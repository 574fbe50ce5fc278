import type { Interval } from './rate.js';
import { normalQuantile } from './normal-quantile.js';

/** How sure an interval is. */
export interface WilsonOptions {
  /** Between 0 and 1. @default 0.95 */
  readonly confidence?: number | undefined;
}

/**
 * The score interval of a share, without a correction for continuity (Wilson 1927, J. Am. Stat. Assoc. 22:209-212; method
 * 3 of Newcombe 1998, Stat. Med. 17:857-872). `undefined` where nothing was counted. Neither number has to be whole.
 *
 * @throws `RangeError` for a share below 0 or above 1.
 */
export function wilsonInterval(
  successes: number,
  total: number,
  { confidence = 0.95 }: WilsonOptions = {},
): Interval | undefined {
  if (!(successes >= 0 && successes <= total && total < Infinity))
    throw new RangeError(`${successes} of ${total} is no share.`);
  if (total === 0) return undefined;
  const z = normalQuantile(1 - (1 - confidence) / 2);
  const share = successes / total;
  const spread = z * Math.sqrt(share * (1 - share) * total + (z * z) / 4);
  const middle = successes + (z * z) / 2;
  const scale = total + z * z;
  return {
    low: successes === 0 ? 0 : Math.max(0, (middle - spread) / scale),
    high: successes === total ? 1 : Math.min(1, (middle + spread) / scale),
  };
}
