import type { Rate } from './rate.js';
import { wilsonInterval } from './wilson-interval.js';

/**
 * A share with its interval. Of nothing counted, value and interval are `undefined`.
 *
 * @throws `RangeError` for a share below 0 or above 1.
 */
export function rateOf(successes: number, total: number): Rate {
  const interval = wilsonInterval(successes, total);
  return { successes, total, value: total === 0 ? undefined : successes / total, interval };
}
