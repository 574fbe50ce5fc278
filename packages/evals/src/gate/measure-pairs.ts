import type { EvalResult } from '../results/eval-result.js';
import { groupBy, isScored, type CaseTrials } from '../score/case-trials.js';
import { skillChoice } from '../score/skill-choice.js';
import type { MeasureComparison } from './eval-comparison.js';
import type { PairedValue } from './judge-difference.js';
import type { CasePair } from './pair-results.js';

/** One measure of a model in an arm, by case. */
export interface MeasuredPairs {
  readonly name: MeasureComparison['name'];
  readonly model: string;
  readonly arm: MeasureComparison['arm'];
  readonly values: readonly PairedValue[];
  /** The same for measures of the same cases that are the same in each: they are one test. */
  readonly signature: string;
}

const measures: readonly (readonly [
  name: MeasureComparison['name'],
  right: (trial: EvalResult) => boolean | undefined,
])[] = [
  ['pass_rate', (trial) => (isScored(trial) ? trial.outcome === 'passed' : undefined)],
  ['recall', (trial) => skillChoice(trial)?.hit],
  ['specificity', (trial) => negated(skillChoice(trial)?.intruded)],
];

/** Every measure that some case has in both, for each model and arm. */
export function measurePairs(pairs: readonly CasePair[]): readonly MeasuredPairs[] {
  return groupBy(pairs, ({ after }) => JSON.stringify([after.model, after.arm])).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { model, arm } = first.after;
    return measures.flatMap(([name, right]) => {
      const values = group.map((pair) => ({
        place: [pair.after.suite, pair.after.case],
        before: shareOf(pair.before, right),
        after: shareOf(pair.after, right),
      }));
      const both = values.flatMap(({ place, before, after }) =>
        before === undefined || after === undefined ? [] : [{ place, before, after }],
      );
      return both.length === 0
        ? []
        : [{ name, model, arm, values: both, signature: JSON.stringify([model, arm, both]) }];
    });
  });
}

function shareOf({ trials }: CaseTrials, right: (trial: EvalResult) => boolean | undefined): number | undefined {
  const answers = trials.flatMap((trial) => right(trial) ?? []);
  return answers.length === 0 ? undefined : answers.filter(Boolean).length / answers.length;
}

function negated(answer: boolean | undefined): boolean | undefined {
  return answer === undefined ? undefined : !answer;
}
