import type { EvalArm } from '../../plan/eval-job.js';
import type { EvalResult } from '../../results/eval-result.js';
import type { WorkspaceOptions } from './workspace-options.js';
import { errorsOf, gradedStatements, gradingSummary, rounded, secondsOf, tokensOf, toolCallsOf } from './grading.js';
import { armOrder, caseOf, evalIds, isScored, type SuiteRuns } from './suite-runs.js';

/** What an arm comes to over all its trials. */
interface ArmSummary {
  readonly pass_rate: Spread;
  readonly time_seconds: Spread;
  readonly tokens: Spread;
}

interface Spread {
  readonly mean: number;
  /** Of a sample (n − 1); 0 for a single trial, as these formats have it. */
  readonly stddev: number;
  readonly min?: number;
  readonly max?: number;
}

const measures = ['pass_rate', 'time_seconds', 'tokens'] as const;

/** `benchmark.json`: the arms, and how the first differs from the second. */
export function benchmarkOf(runs: SuiteRuns, options: WorkspaceOptions): object {
  const tasks = runs.results.filter(({ kind }) => kind === 'task');
  const scored = tasks.filter(isScored);
  const creator = options.dialect === 'skill-creator';
  const arms = armOrder.filter((arm) => scored.some((result) => result.arm === arm));
  const summaries = arms.map(
    (arm) =>
      [
        arm,
        summaryOf(
          scored.filter((result) => result.arm === arm),
          creator,
        ),
      ] as const,
  );
  const delta = deltaOf(new Map(summaries), creator);
  const run_summary = { ...Object.fromEntries(summaries), ...(delta === undefined ? {} : { delta }) };
  const notes = notesOf(tasks, arms);
  if (!creator) return { run_summary, ...(notes.length === 0 ? {} : { notes }) };
  const ids = evalIds(runs);
  return {
    metadata: metadataOf(runs, tasks, options),
    runs: scored.map((result) => runOf(result, { id: ids.get(result.case), title: caseOf(runs, result)?.title })),
    run_summary,
    notes,
  };
}

function summaryOf(results: readonly EvalResult[], whole: boolean): ArmSummary {
  return {
    pass_rate: spreadOf(
      results.map((result) => gradingSummary(result).pass_rate),
      whole,
    ),
    time_seconds: spreadOf(results.map(secondsOf), whole),
    tokens: spreadOf(results.map(tokensOf), whole),
  };
}

function spreadOf(values: readonly number[], whole: boolean): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const stddev = values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1));
  const range = whole ? { min: rounded(Math.min(...values)), max: rounded(Math.max(...values)) } : {};
  return { mean: rounded(mean), stddev: rounded(stddev), ...range };
}

/** What the skill changes: always the arm with it, less the one it is held against. */
function deltaOf(summaries: ReadonlyMap<EvalArm, ArmSummary>, asText: boolean): object | undefined {
  const own = summaries.get('with_skill');
  const other = summaries.get('without_skill') ?? summaries.get('old_skill');
  if (own === undefined || other === undefined) return undefined;
  const places = { pass_rate: 2, time_seconds: 1, tokens: 0 } as const;
  return Object.fromEntries(
    measures.map((name) => {
      const difference = rounded(own[name].mean - other[name].mean);
      return [name, asText ? signed(difference, places[name]) : difference];
    }),
  );
}

function signed(value: number, places: number): string {
  const text = Math.abs(value).toFixed(places);
  return `${value < 0 && Number(text) !== 0 ? '-' : '+'}${text}`;
}

function metadataOf(
  { suite, results }: SuiteRuns,
  tasks: readonly EvalResult[],
  { skillPath = '' }: WorkspaceOptions,
): object {
  const ids = evalIds({ suite, results, folder: '' });
  return {
    skill_name: suite.skills[0] ?? suite.name,
    skill_path: skillPath,
    executor_model: tasks[0]?.model ?? '',
    analyzer_model: '',
    timestamp:
      tasks
        .map(({ at }) => at)
        .toSorted()
        .at(-1) ?? '',
    evals_run: [...new Set(tasks.map((result) => result.case))].map((id) => ids.get(id)),
    runs_per_configuration: Math.max(0, ...[...runCounts(tasks).values()].map((counts) => counts.length)),
  };
}

/** The trials that were scored, by case and arm. */
function runCounts(tasks: readonly EvalResult[]): ReadonlyMap<string, readonly EvalResult[]> {
  return Map.groupBy(tasks.filter(isScored), ({ case: id, arm }) => JSON.stringify([id, arm]));
}

function runOf(
  result: EvalResult,
  { id, title }: { readonly id: number | undefined; readonly title: string | undefined },
): object {
  const { passed, failed, total, pass_rate } = gradingSummary(result);
  const tool_calls = Object.values(toolCallsOf(result)).reduce((sum, count) => sum + count, 0);
  return {
    eval_id: id,
    eval_name: title ?? result.case,
    configuration: result.arm,
    run_number: result.trial,
    result: {
      pass_rate,
      passed,
      failed,
      total,
      time_seconds: secondsOf(result),
      tokens: tokensOf(result),
      tool_calls,
      errors: errorsOf(result),
    },
    expectations: gradedStatements(result),
    notes: result.reason === undefined ? [] : [result.reason.message],
  };
}

function notesOf(tasks: readonly EvalResult[], arms: readonly EvalArm[]): readonly string[] {
  const left = Map.groupBy(
    tasks.filter((result) => !isScored(result)),
    ({ outcome, arm }) => `${outcome} ${arm}`,
  );
  const counts = new Set([...runCounts(tasks).values()].map((results) => results.length));
  const baseline = arms.includes('without_skill')
    ? 'without_skill'
    : arms.includes('old_skill')
      ? 'old_skill'
      : undefined;
  return [
    ...(baseline === undefined || !arms.includes('with_skill') ? [] : [`The delta is with_skill less ${baseline}.`]),
    ...(counts.size < 2
      ? []
      : [
          `Not every case and arm has as many scored trials: ${[...counts].toSorted((one, two) => one - two).join(', ')}.`,
        ]),
    ...[...left.values()].map((results) => {
      // A group is never empty.
      const { outcome, arm, reason } = results[0] as EvalResult;
      const why = reason === undefined ? '' : `, the first one as ${reason.message}`;
      return `${results.length} of ${arm} not counted: ${outcome}${why.replace(/\.$/u, '')}.`;
    }),
  ];
}
