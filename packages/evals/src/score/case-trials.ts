import type { EvalArm } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';

/** The trials of one case with one model and arm. */
export interface CaseTrials {
  readonly suite: string;
  readonly case: string;
  readonly model: string;
  readonly arm: EvalArm;
  readonly kind: 'trigger' | 'task';
  /** In the order of the trials. */
  readonly trials: readonly EvalResult[];
}

/** Results by case, model and arm, in the order of the first of each. */
export function caseTrials(results: readonly EvalResult[]): readonly CaseTrials[] {
  return groupBy(results, ({ suite, case: name, model, arm }) => JSON.stringify([suite, name, model, arm])).flatMap(
    (trials) => {
      const [first] = trials;
      if (first === undefined) return [];
      const { suite, case: name, model, arm, kind } = first;
      const inOrder = trials.toSorted((left, right) => left.trial - right.trial);
      return [{ suite, case: name, model, arm, kind, trials: inOrder }];
    },
  );
}

/** What has the same name, together, in the order of the first of each. */
export function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): readonly (readonly Item[])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** Whether a trial says something: it passed or failed. */
export function isScored({ outcome }: Pick<EvalResult, 'outcome'>): boolean {
  return outcome === 'passed' || outcome === 'failed';
}

/** Each value once, in the order of the first. */
export function distinct<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)];
}
