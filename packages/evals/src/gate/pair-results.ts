import type { EvalResult } from '../results/eval-result.js';
import { caseTrials, distinct, isScored, type CaseTrials } from '../score/case-trials.js';
import { latestResults } from '../score/latest-results.js';

/** The trials of a case, with one model and arm, in both. */
export interface CasePair {
  readonly before: CaseTrials;
  readonly after: CaseTrials;
}

/** What can be compared, and what cannot. */
export interface PairedResults {
  readonly pairs: readonly CasePair[];
  /** `suite/case`. */
  readonly onlyInBaseline: readonly string[];
  readonly onlyHere: readonly string[];
  /** There are both, and they ask something else, or want other skills. */
  readonly asksOtherwise: readonly string[];
  /** There are both, and here no trial of it was scored. */
  readonly unscored: readonly string[];
}

/** Of the results of now, those of cases that both have trials of that were scored: what a baseline says something of. */
export function comparedResults(
  baseline: readonly EvalResult[],
  current: readonly EvalResult[],
): ReadonlySet<EvalResult> {
  const { pairs } = pairResults(baseline, current);
  const both = pairs.filter(({ before, after }) => before.trials.some(isScored) && after.trials.some(isScored));
  return new Set(both.flatMap(({ after }) => after.trials));
}

/** Pairs results by suite, case, model and arm. A case that asks something else than it did is another one. */
export function pairResults(baseline: readonly EvalResult[], current: readonly EvalResult[]): PairedResults {
  const before = new Map(caseTrials(latestResults(baseline)).map((one) => [placeOf(one), one]));
  const after = new Map(caseTrials(latestResults(current)).map((one) => [placeOf(one), one]));
  const both = [...after].flatMap(([place, here]) => {
    const there = before.get(place);
    return there === undefined ? [] : [{ before: there, after: here }];
  });
  const { same: pairs = [], other = [] } = Object.groupBy(both, (pair) =>
    questionOf(pair.before) === questionOf(pair.after) ? 'same' : 'other',
  );
  const otherwise = distinct(other.map((pair) => nameOf(pair.after)));
  const gone = [...before].filter(([place]) => !after.has(place)).map(([, one]) => nameOf(one));
  const added = [...after].filter(([place]) => !before.has(place)).map(([, one]) => nameOf(one));
  const silent = pairs.filter((pair) => pair.before.trials.some(isScored) && !pair.after.trials.some(isScored));
  return {
    pairs,
    onlyInBaseline: distinct([...gone, ...otherwise]),
    onlyHere: distinct([...added, ...otherwise]),
    asksOtherwise: otherwise,
    unscored: distinct(silent.map((pair) => nameOf(pair.after))),
  };
}

function placeOf({ suite, case: name, model, arm }: CaseTrials): string {
  return JSON.stringify([suite, name, model, arm]);
}

function nameOf({ suite, case: name }: CaseTrials): string {
  return `${suite}/${name}`;
}

function questionOf({ kind, trials }: CaseTrials): string {
  const { input, wanted } = trials[0] ?? {};
  const skills = wanted === undefined ? undefined : [wanted.all, wanted.skills.toSorted(), wanted.not.toSorted()];
  // Half a surrogate pair is written as its code: no two texts are written alike.
  return JSON.stringify([kind, input, skills]);
}
