import { clusteredRate } from '../statistics/clustered-rate.js';
import { passAtK, passHatK } from '../statistics/pass-at-k.js';
import { groupBy, isScored, type CaseTrials } from './case-trials.js';
import type { KEstimate, TaskScore } from './eval-report.js';

/** How well tasks are done, for each model and arm that has some. */
export function scoreTasks(cases: readonly CaseTrials[]): readonly TaskScore[] {
  const tasks = cases.filter(({ kind }) => kind === 'task');
  return groupBy(tasks, ({ model, arm }) => JSON.stringify([model, arm])).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { model, arm } = first;
    const counts = group.map(countTrials);
    const tried = counts.filter(({ total }) => total > 0);
    return [
      {
        model,
        arm,
        passRate: clusteredRate(counts),
        checkRate: clusteredRate(group.map(countChecks)),
        passAtK: estimates(tried, passAtK),
        passHatK: estimates(tried, passHatK),
      },
    ];
  });
}

/** How many trials of a case were scored, and passed. */
export function countTrials({ trials }: CaseTrials): { readonly successes: number; readonly total: number } {
  const scored = trials.filter(isScored);
  return { successes: scored.filter(({ outcome }) => outcome === 'passed').length, total: scored.length };
}

function countChecks({ trials }: CaseTrials): { readonly successes: number; readonly total: number } {
  const checks = trials.filter(isScored).flatMap((trial) => trial.checks);
  const successes = checks.filter(({ verdict }) => verdict === 'passed').length;
  return { successes, total: successes + checks.filter(({ verdict }) => verdict === 'failed').length };
}

function estimates(
  counts: readonly { readonly successes: number; readonly total: number }[],
  estimate: (trials: number, passed: number, k: number) => number,
): readonly KEstimate[] {
  if (counts.length === 0) return [];
  const most = counts.reduce((least, { total }) => Math.min(least, total), Infinity);
  return Array.from({ length: most }, (_unused, index) => {
    const sum = counts.reduce((so, { total, successes }) => so + estimate(total, successes, index + 1), 0);
    return { k: index + 1, value: sum / counts.length, cases: counts.length };
  });
}
