import type { Comparison, Outcome } from '../measure/run-race.ts';

/** What all of ours may have at most, in bytes. */
export const memoryLimits = { bar: 120_000_000, aim: 80_000_000 } as const;

/** Whether a value keeps what is demanded, and what is wanted. */
export type Verdict = 'aim' | 'bar' | 'missed' | 'shown';

/** Judges a value by its two limits. */
export function verdictOn(
  value: number | undefined,
  { bar, aim }: { readonly bar?: number | undefined; readonly aim?: number | undefined },
): Verdict {
  if (value === undefined || bar === undefined) return 'shown';
  if (value > bar) return 'missed';
  return aim !== undefined && value > aim ? 'bar' : 'aim';
}

/** Everything that exceeds its bar, as a line each. */
export function misses(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap(({ id, peakBytes, comparisons }) => [
    ...comparisons
      .filter(isMissed)
      .map(({ rival, ratio = 0, bar = 0 }) => `${id}: ${ratio.toFixed(2)} × ${rival.name}, the bar is ${bar}`),
    ...(verdictOn(peakBytes, memoryLimits) === 'missed'
      ? [`${id}: ${megabytes(peakBytes)} MB, the bar is 120 MB`]
      : []),
  ]);
}

function isMissed({ ratio, bar }: Comparison): boolean {
  return verdictOn(ratio, { bar }) === 'missed';
}

/** Bytes as whole megabytes (10⁶). */
export function megabytes(bytes: number | undefined): string {
  return bytes === undefined ? '–' : (bytes / 1_000_000).toFixed(0);
}
