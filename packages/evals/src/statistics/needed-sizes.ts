/** How sure a comparison is to be. */
export interface NeededOptions {
  /** Two-sided. @default 0.05 */
  readonly alpha?: number | undefined;
  /** @default 0.8 */
  readonly power?: number | undefined;
}

/** What is looked for among pairs. */
export interface PairedDifference {
  /** Of the pairs, those that differ; of differences that are no whole numbers, the mean of their squares. */
  readonly discordance: number;
  /** Of the means, 0 to 1. */
  readonly difference: number;
}

/**
 * How many pairs show a difference (Connor 1987, Biometrics 43:207-211, eq. 3): those of a test of McNemar without a
 * correction for continuity.
 *
 * @throws `RangeError` for what cannot be.
 */
export function neededPairs(what: PairedDifference, options: NeededOptions = {}): number {
  throw new Error(`Not written: ${what.difference} ${options.power}.`);
}

/**
 * How many runs in each of two arms that are not paired show that the share is another one (Fleiss, Levin and Paik 2003,
 * Statistical Methods for Rates and Proportions, 3rd ed., section 4.2), without a correction for continuity.
 *
 * @throws `RangeError` for what cannot be.
 */
export function neededRuns(
  shares: { readonly before: number; readonly after: number },
  options: NeededOptions = {},
): number {
  throw new Error(`Not written: ${shares.before} ${options.power}.`);
}
