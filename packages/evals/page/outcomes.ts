import type { GateVerdict } from '../src/gate/eval-comparison.js';
import type { TrialOutcome } from '../src/results/eval-result.js';

/** Outcomes of trials in the order that a reader wants them, with a sign for those who do not tell colours apart. */
export const outcomes: readonly { readonly outcome: TrialOutcome; readonly sign: string; readonly title: string }[] = [
  { outcome: 'passed', sign: '✓', title: 'every check passed' },
  { outcome: 'failed', sign: '✗', title: 'a check failed' },
  { outcome: 'inconclusive', sign: '?', title: 'it ran, and says nothing' },
  { outcome: 'error', sign: '!', title: 'what it ran on failed; never scored' },
  { outcome: 'stopped', sign: '–', title: 'a budget, or somebody, ended it; never scored' },
];

/** The sign of an outcome. */
export function signOf(outcome: TrialOutcome): string {
  return outcomes.find((known) => known.outcome === outcome)?.sign ?? '';
}

/** What a verdict of a comparison is called. */
export function nameOfGate(verdict: GateVerdict): string {
  return verdict.replace('_', ' ');
}
