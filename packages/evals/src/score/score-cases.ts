import type { EvalSuite } from '../case/eval-case.js';
import { rateOf } from '../statistics/rate-of.js';
import { groupBy, isScored, type CaseTrials } from './case-trials.js';
import type { CaseCell, CaseScore } from './eval-report.js';
import { countTrials } from './score-tasks.js';

const mostFailures = 20;

/** All trials of each case. */
export function scoreCases(cases: readonly CaseTrials[], suites: readonly EvalSuite[]): readonly CaseScore[] {
  const titles = new Map(
    suites.flatMap((suite) => suite.cases.map(({ id, title }) => [JSON.stringify([suite.name, id]), title])),
  );
  const placeOf = ({ suite, case: name }: CaseTrials): string => JSON.stringify([suite, name]);
  return groupBy(cases, placeOf).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const title = titles.get(placeOf(first));
    return [
      {
        suite: first.suite,
        case: first.case,
        kind: first.kind,
        ...(title === undefined ? {} : { title }),
        tags: first.trials[0]?.tags ?? [],
        cells: group.map(scoreCell),
      },
    ];
  });
}

function scoreCell(one: CaseTrials): CaseCell {
  const { successes, total } = countTrials(one);
  return {
    model: one.model,
    arm: one.arm,
    outcomes: one.trials.map(({ outcome }) => outcome),
    keys: one.trials.map(({ key }) => key),
    passRate: rateOf(successes, total),
    failures: failuresOf(one),
  };
}

function failuresOf({ trials }: CaseTrials): CaseCell['failures'] {
  const texts = trials
    .filter(isScored)
    .flatMap(({ checks }) => checks)
    .filter(({ verdict }) => verdict === 'failed')
    .map(({ text }) => text);
  return groupBy(texts, (text) => text)
    .map((same) => ({ text: same[0] ?? '', count: same.length }))
    .toSorted((left, right) => right.count - left.count)
    .slice(0, mostFailures);
}
