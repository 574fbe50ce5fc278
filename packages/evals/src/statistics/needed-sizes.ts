import { normalQuantile } from './normal-quantile.js';

/** How sure a comparison is to be. */
export interface NeededOptions {
  /** How often a difference may be seen where there is none; two-sided. @default 0.05 */
  readonly alpha?: number | undefined;
  /** How often a difference is to be seen where there is one. @default 0.8 */
  readonly power?: number | undefined;
}

/** What is looked for among pairs. */
export interface PairedDifference {
  /** Of the pairs, those that differ; of differences that are no whole numbers, the mean of their squares. */
  readonly discordance: number;
  /** Of the means. */
  readonly difference: number;
}

/**
 * How many pairs show a difference by a test of McNemar, without a correction for continuity (Connor 1987, Biometrics
 * 43:207-211, page 209).
 *
 * @throws `RangeError` for a difference of 0, and for more of it than its pairs can have.
 */
export function neededPairs({ discordance, difference }: PairedDifference, options: NeededOptions = {}): number {
  const squared = difference * difference;
  if (!(squared > 0 && discordance <= 1 && squared <= discordance))
    throw new RangeError(`Pairs of which ${discordance} differ have no difference of ${difference}.`);
  const { level, chance } = quantiles(options);
  const root = level * Math.sqrt(discordance) + chance * Math.sqrt(discordance - squared);
  return Math.ceil((root * root) / squared);
}

/**
 * How many runs in each of two arms that are not paired show that the share is another one, without a correction for
 * continuity (Fleiss, Levin and Paik 2003, Statistical Methods for Rates and Proportions, 3rd ed., section 4.2).
 *
 * @throws `RangeError` for shares that are the same, or none.
 */
export function neededRuns(
  { before, after }: { readonly before: number; readonly after: number },
  options: NeededOptions = {},
): number {
  if (!(before >= 0 && before <= 1 && after >= 0 && after <= 1 && before !== after))
    throw new RangeError(`The shares ${before} and ${after} have no difference to look for.`);
  const { level, chance } = quantiles(options);
  const mean = (before + after) / 2;
  const root =
    level * Math.sqrt(2 * mean * (1 - mean)) + chance * Math.sqrt(before * (1 - before) + after * (1 - after));
  return Math.ceil((root * root) / (before - after) ** 2);
}

function quantiles({ alpha = 0.05, power = 0.8 }: NeededOptions): { readonly level: number; readonly chance: number } {
  return { level: normalQuantile(1 - alpha / 2), chance: normalQuantile(power) };
}
