import { percent } from '../statistics/percent.js';
import type { Interval, Rate } from '../statistics/rate.js';

/** What a share is called that nothing was counted for. */
const undefinedShare = 'undefined';

/** A share as per cent, `85.3 %`; of nothing counted `undefined`. */
export function formatShare(share: number | undefined): string {
  return share === undefined ? undefinedShare : percent(share);
}

/** Where a share lies: `[80.1, 90.2]`. */
export function formatInterval(interval: Interval | undefined): string {
  return interval === undefined ? '' : `[${(interval.low * 100).toFixed(1)}, ${(interval.high * 100).toFixed(1)}]`;
}

/** A rate with its interval and its numbers: `85.3 % [80.1, 90.2] (64/75)`. */
export function formatRate(rate: Rate): string {
  return [formatShare(rate.value), formatInterval(rate.interval), `(${rate.successes}/${rate.total})`]
    .filter((part) => part !== '')
    .join(' ');
}

/** A difference of shares, in points of per cent: `+4.0`, `−12.8`. */
export function formatDifference(difference: number | undefined): string {
  if (difference === undefined) return undefinedShare;
  const points = (Math.abs(difference) * 100).toFixed(1);
  if (points === '0.0') return '±0.0';
  return `${difference < 0 ? '−' : '+'}${points}`;
}

/** Where a difference lies: `[−21.0, −4.0]`. */
export function formatDifferences(interval: Interval | undefined): string {
  return interval === undefined ? '' : `[${formatDifference(interval.low)}, ${formatDifference(interval.high)}]`;
}

/** A probability, as a sentence has it after `p`: `= 0.021`, `< 0.001`. */
export function formatProbability(probability: number): string {
  return probability < 0.001 ? '< 0.001' : `= ${probability.toFixed(3)}`;
}
