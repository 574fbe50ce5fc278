import type { EvalThresholds } from '@skillpack/evals';
import type { GateFlags } from './eval-options.js';
import type { KeptEvals } from './eval-files.js';

/** What is allowed: with a baseline, whatever is no worse than that; without one, nothing may fail. */
export function thresholdsOf(
  { minPassRate, minRecall, minSpecificity }: GateFlags,
  baseline: KeptEvals | undefined,
): EvalThresholds {
  const compared = baseline !== undefined && baseline.results.length > 0;
  return {
    minPassRate: shareOf(minPassRate) ?? (compared ? 0 : undefined),
    minRecall: shareOf(minRecall),
    minSpecificity: shareOf(minSpecificity),
  };
}

function shareOf(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : percent / 100;
}
