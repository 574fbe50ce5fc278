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
  /** Cases, `suite/case`, that were right in all their trials and are wrong in one of the same trials now. */
  readonly broken: readonly string[];
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
      const broken = group.filter((pair) => isBroken(pair, right)).map(({ after }) => `${after.suite}/${after.case}`);
      return both.length === 0
        ? []
        : [{ name, model, arm, values: both, broken, signature: JSON.stringify([model, arm, both]) }];
    });
  });
}

/** By the same trials: another one may have another recording. */
function isBroken({ before, after }: CasePair, right: (trial: EvalResult) => boolean | undefined): boolean {
  const known = before.trials.filter((trial) => right(trial) !== undefined);
  if (known.length === 0 || known.some((trial) => right(trial) === false)) return false;
  const numbers = new Set(known.map(({ trial }) => trial));
  return after.trials.some((trial) => numbers.has(trial.trial) && right(trial) === false && !failsByJudge(trial));
}

/** Whether nothing failed but what a judge says, which may be another one each time. */
function failsByJudge({ checks }: EvalResult): boolean {
  const failed = checks.filter(({ verdict }) => verdict === 'failed');
  return failed.length > 0 && failed.every(({ kind }) => kind === 'rubric');
}

function shareOf({ trials }: CaseTrials, right: (trial: EvalResult) => boolean | undefined): number | undefined {
  const answers = trials.flatMap((trial) => right(trial) ?? []);
  return answers.length === 0 ? undefined : answers.filter(Boolean).length / answers.length;
}

function negated(answer: boolean | undefined): boolean | undefined {
  return answer === undefined ? undefined : !answer;
}
