import type { EvalResult } from '../results/eval-result.js';
import type { EvalComparison } from './eval-comparison.js';

/** How results are compared. */
export interface CompareOptions {
  /** How often a change may be seen where there is none, over all measures together. @default 0.05 */
  readonly alpha?: number | undefined;
  /** How often a difference of the margin is to be seen where there is one: what `needed` goes by. @default 0.8 */
  readonly power?: number | undefined;
  /** A difference that does not matter; above 0, below 1. @default 0.05 */
  readonly margin?: number | undefined;
  /** Of the bootstrap: a whole number from 0. @default 1 */
  readonly seed?: number | undefined;
}

/**
 * Compares results with those of a baseline, case by case.
 *
 * @throws `USAGE` for options that cannot be.
 */
export function compareResults(
  baseline: readonly EvalResult[],
  current: readonly EvalResult[],
  options: CompareOptions = {},
): EvalComparison {
  throw new Error(`Not written: ${baseline.length} ${current.length} ${options.seed}.`);
}
