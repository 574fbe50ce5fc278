import type { EvalResult } from '../results/eval-result.js';
import { caseTrials, distinct, groupBy, isScored, type CaseTrials } from '../score/case-trials.js';
import { latestResults } from '../score/latest-results.js';

/** The trials of a case, with one model and arm, in both. */
export interface CasePair {
  readonly before: CaseTrials;
  readonly after: CaseTrials;
}

/** What trials are run with. */
export type RunPlace = Pick<CaseTrials, 'model' | 'arm'>;

/** What can be compared, and what cannot. */
export interface PairedResults {
  readonly pairs: readonly CasePair[];
  /** `suite/case`. */
  readonly onlyInBaseline: readonly string[];
  readonly onlyHere: readonly string[];
  /** Of these, what has no partner: the cases, and, where nothing at all has a model and arm in the other, that place alone. */
  readonly gone: readonly string[];
  readonly added: readonly string[];
  readonly notRun: readonly RunPlace[];
  readonly newlyRun: readonly RunPlace[];
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
  const gone = alone(before, after);
  const added = alone(after, before);
  const silent = pairs.filter((pair) => pair.before.trials.some(isScored) && !pair.after.trials.some(isScored));
  return {
    pairs,
    onlyInBaseline: distinct([...gone.all, ...otherwise]),
    onlyHere: distinct([...added.all, ...otherwise]),
    gone: gone.cases,
    added: added.cases,
    notRun: gone.places,
    newlyRun: added.places,
    asksOtherwise: otherwise,
    unscored: distinct(silent.map((pair) => nameOf(pair.after))),
  };
}

interface Alone {
  /** `suite/case` of all that the others do not have. */
  readonly all: readonly string[];
  /** Of these, those whose model and arm the others have, or that they have with none. */
  readonly cases: readonly string[];
  /** Models and arms that the others have not at all. */
  readonly places: readonly RunPlace[];
}

function alone(these: ReadonlyMap<string, CaseTrials>, others: ReadonlyMap<string, CaseTrials>): Alone {
  const only = [...these].filter(([place]) => !others.has(place)).map(([, one]) => one);
  const known = [...others.values()];
  const places = new Set(known.map(runPlaceOf));
  const names = new Set(known.map(nameOf));
  const missing = only.filter((one) => places.has(runPlaceOf(one)) || !names.has(nameOf(one)));
  return {
    all: distinct(only.map(nameOf)),
    cases: distinct(missing.map(nameOf)),
    places: groupBy(
      only.filter((one) => !places.has(runPlaceOf(one))),
      runPlaceOf,
    ).flatMap(([one]) => (one === undefined ? [] : [{ model: one.model, arm: one.arm }])),
  };
}

function runPlaceOf({ model, arm }: RunPlace): string {
  return JSON.stringify([model, arm]);
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
