import type { EvalResult } from '../../results/eval-result.js';
import type { WorkspaceOptions } from './workspace-options.js';
import { rounded } from './grading.js';
import { caseOf, isScored, type SuiteRuns } from './suite-runs.js';

/**
 * What came of the queries of a suite, for its first skill: how often it was used, in the arm with it. A query that is for
 * it passes where that is at least half of the trials, any other where it is less. Queries without a trial that was scored
 * stand under `not_scored`. `undefined` where there is no query.
 */
export function triggerResults(runs: SuiteRuns, { description = '' }: WorkspaceOptions): object | undefined {
  const [skill = runs.suite.name] = runs.suite.skills;
  const trials = runs.results.filter(({ kind, arm }) => kind === 'trigger' && arm === 'with_skill');
  if (trials.length === 0) return undefined;
  const queries = [...Map.groupBy(trials, (result) => result.case).values()];
  const results = queries.flatMap((all) => queryResult(runs, skill, all) ?? []);
  const passed = results.filter(({ pass }) => pass).length;
  const lost = queries.filter((all) => !all.some(isScored)).flatMap((all) => all.slice(0, 1));
  return {
    skill_name: skill,
    description,
    results,
    summary: { total: results.length, passed, failed: results.length - passed },
    ...(lost.length === 0
      ? {}
      : {
          not_scored: lost.map((each) => ({
            query: queryOf(runs, each),
            outcome: each.outcome,
            reason: each.reason?.message ?? '',
          })),
        }),
  };
}

function queryResult(runs: SuiteRuns, skill: string, all: readonly EvalResult[]) {
  const scored = all.filter(isScored);
  const [first] = scored;
  if (first === undefined) return undefined;
  const should_trigger = first.wanted?.skills.includes(skill) ?? false;
  const triggers = scored.filter(({ fired }) => fired.includes(skill)).length;
  const rate = triggers / scored.length;
  return {
    query: queryOf(runs, first),
    should_trigger,
    trigger_rate: rounded(rate),
    triggers,
    runs: scored.length,
    pass: should_trigger ? rate >= 0.5 : rate < 0.5,
  };
}

function queryOf(runs: SuiteRuns, result: EvalResult): string {
  return caseOf(runs, result)?.conversation[0]?.input ?? result.input;
}
