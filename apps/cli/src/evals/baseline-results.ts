import type { EvalResult } from '@skillpack/evals';
import type { KeptEvals } from './eval-files.js';

/**
 * The results that others are held to; `undefined` without a baseline, and where it ranked queries and ran nothing: then
 * there is no baseline but that of the ranks. One that has neither is held to, and compares nothing.
 */
export function baselineResults(baseline: KeptEvals | undefined): readonly EvalResult[] | undefined {
  if (baseline === undefined) return undefined;
  return baseline.results.length === 0 && baseline.ranks !== undefined ? undefined : baseline.results;
}
