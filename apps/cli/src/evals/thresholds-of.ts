import type { EvalThresholds } from '@skillpack/evals';
import { baselineResults } from './baseline-results.js';
import type { GateFlags } from './eval-options.js';
import type { KeptEvals } from './eval-files.js';
import { isFree } from './free-models.js';

/**
 * What is allowed: of cases that are compared with a baseline, whatever is no worse than that; of all others, nothing may
 * fail, as no baseline excuses them. What a provider cannot have failed at, as where scripts or recordings are played, is no
 * matter of chance: then no trial may be an error.
 */
export function thresholdsOf(
  { minPassRate, minRecall, minSpecificity }: GateFlags,
  { baseline, models }: { readonly baseline: KeptEvals | undefined; readonly models: readonly string[] },
): EvalThresholds {
  return {
    ...(models.every(isFree) ? { maxErrors: 0 } : {}),
    minPassRate: shareOf(minPassRate),
    ...(baselineResults(baseline) !== undefined && minPassRate === undefined ? { minPassRateCompared: 0 } : {}),
    minRecall: shareOf(minRecall),
    minSpecificity: shareOf(minSpecificity),
  };
}

function shareOf(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : percent / 100;
}
