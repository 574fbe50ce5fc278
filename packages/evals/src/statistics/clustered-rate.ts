import type { Rate } from './rate.js';
import { wilsonInterval } from './wilson-interval.js';

/** Trials of one case. */
export interface Cluster {
  readonly successes: number;
  readonly total: number;
}

/**
 * The share over all trials, with an interval that knows that trials of one case are alike: the interval of Wilson over as
 * many trials as they are worth, which is their number divided by the design effect of the ratio (Rao and Scott 1992,
 * Biometrics 48:577-585). It is held between 1, which is trials that have nothing in common, and what it is where all
 * trials of a case end alike; that is also what it is where nothing can be estimated, as all trials end alike or there is one
 * case alone. With one trial a case it is the interval of Wilson.
 */
export function clusteredRate(clusters: readonly Cluster[]): Rate {
  const counted = clusters.filter(({ total }) => total > 0);
  const successes = sumOf(counted.map((cluster) => cluster.successes));
  const total = sumOf(counted.map((cluster) => cluster.total));
  if (total === 0) return { successes, total, value: undefined, interval: undefined };
  const worth = total / designEffect(counted, successes / total);
  return { successes, total, value: successes / total, interval: intervalOf(successes, total, worth) };
}

function intervalOf(successes: number, total: number, worth: number): Rate['interval'] {
  // Of whole numbers no product of fractions, which may be beside them.
  return worth === total ? wilsonInterval(successes, total) : wilsonInterval((successes / total) * worth, worth);
}

function designEffect(clusters: readonly Cluster[], share: number): number {
  const total = sumOf(clusters.map((cluster) => cluster.total));
  const most = sumOf(clusters.map((cluster) => cluster.total ** 2)) / total;
  if (share === 0 || share === 1 || clusters.length === 1) return most;
  const squares = sumOf(clusters.map((cluster) => (cluster.successes - share * cluster.total) ** 2));
  const variance = ((clusters.length / (clusters.length - 1)) * squares) / total ** 2;
  return Math.min(most, Math.max(1, variance / ((share * (1 - share)) / total)));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
