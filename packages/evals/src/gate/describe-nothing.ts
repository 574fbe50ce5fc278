import { visibleText } from '@skillpack/core';
import type { EvalResult } from '../results/eval-result.js';
import { distinct, isScored } from '../score/case-trials.js';

const mostNames = 5;

/** Why nothing of two sets of results can be compared: what one of them lacks, or wherein they have nothing in common. */
export function describeNothing(baseline: readonly EvalResult[], current: readonly EvalResult[]): string {
  const nothing = 'nothing can be compared';
  const [before, after] = [baseline.filter(isScored), current.filter(isScored)];
  if (before.length === 0) return `No trial of the baseline was scored: ${nothing}.`;
  if (after.length === 0) return `No trial was scored now: ${nothing}.`;
  const [models, modelsNow] = [before, after].map((results) => distinct(results.map(({ model }) => model)));
  if (differ(models, modelsNow))
    return `The baseline has results of ${list(models)}, these are of ${list(modelsNow)}: ${nothing}. Models are told apart by their names.`;
  const [arms, armsNow] = [before, after].map((results) => distinct(results.map(({ arm }) => arm)));
  if (differ(arms, armsNow))
    return `The baseline has results in the arm ${list(arms)}, these are in ${list(armsNow)}: ${nothing}.`;
  return `No case with trials that were scored is in both: ${nothing}.`;
}

function differ(names: readonly string[] = [], others: readonly string[] = []): boolean {
  return !names.some((name) => others.includes(name));
}

function list(names: readonly string[] = []): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).map(visibleText).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
