import { escapedJson } from '@skillpack/core';
import type { EvalResult } from '../../results/eval-result.js';
import type { WorkspaceFile, WorkspaceOptions } from './workspace-options.js';
import { executionMetrics, gradedStatements, gradingSummary, secondsOf, statementsOf, tokensOf } from './grading.js';
import { caseOf, evalFolder, evalIds, isScored, type SuiteRuns } from './suite-runs.js';

/** The files of each trial of a task that ran to its end: what it left, what it took, and how it was judged. */
export function runFiles(runs: SuiteRuns, { dialect }: WorkspaceOptions): readonly WorkspaceFile[] {
  const tasks = runs.results.filter(
    (result) => result.kind === 'task' && (isScored(result) || result.outcome === 'inconclusive'),
  );
  const cases = Map.groupBy(tasks, (result) => result.case);
  // One layout for all of them: a viewer goes by it.
  const numbered = dialect === 'skill-creator' || tasks.some(({ trial }) => trial > 1);
  return [...cases.values()].flatMap((results) => [
    ...(dialect === 'skill-creator' ? [metadataFile(runs, results)] : []),
    ...results.flatMap((result) => {
      const place = `${runs.folder}/${evalFolder(result.case)}/${result.arm}${numbered ? `/run-${result.trial}` : ''}`;
      return dialect === 'skill-creator'
        ? creatorFiles(result, { place, prompt: promptOf(runs, result) })
        : plainFiles(result, place);
    }),
  ]);
}

function plainFiles(result: EvalResult, place: string): readonly WorkspaceFile[] {
  const grading = { assertion_results: gradedStatements(result), summary: gradingSummary(result) };
  const timing = { total_tokens: tokensOf(result), duration_ms: result.spent.duration };
  return [
    { path: `${place}/outputs/answer.md`, text: result.answer },
    json(`${place}/timing.json`, timing),
    ...(isScored(result) ? [json(`${place}/grading.json`, grading)] : []),
  ];
}

function creatorFiles(
  result: EvalResult,
  { place, prompt }: { readonly place: string; readonly prompt: string },
): readonly WorkspaceFile[] {
  const transcript = transcriptOf(result, prompt);
  const metrics = executionMetrics(result, transcript.length);
  const timing = {
    total_tokens: tokensOf(result),
    duration_ms: result.spent.duration,
    total_duration_seconds: secondsOf(result),
    executor_start: result.at,
    executor_duration_seconds: secondsOf(result),
  };
  return [
    { path: `${place}/outputs/answer.md`, text: result.answer },
    json(`${place}/outputs/metrics.json`, { ...metrics, files_created: result.files.map(({ path }) => path) }),
    { path: `${place}/transcript.md`, text: transcript },
    json(`${place}/timing.json`, timing),
    ...(isScored(result) ? [json(`${place}/grading.json`, creatorGrading(result, metrics))] : []),
  ];
}

function creatorGrading(result: EvalResult, metrics: object): object {
  const statements = statementsOf(result);
  const unjudged = statements.filter(({ verdict }) => verdict === 'not_judged');
  return {
    expectations: gradedStatements(result),
    summary: gradingSummary(result),
    execution_metrics: metrics,
    // Where the whole duration stands here, the aggregation of skill-creator takes characters for tokens: it is in
    // timing.json, which is then read, with the tokens.
    timing: { executor_duration_seconds: secondsOf(result) },
    claims: [],
    user_notes_summary: { uncertainties: [], needs_review: [], workarounds: [] },
    eval_feedback: {
      suggestions: unjudged.map(({ text }) => ({ assertion: text, reason: 'Nobody judged it.' })),
      overall:
        unjudged.length === 0
          ? ''
          : `${unjudged.length} of ${statements.length} statements were not judged, and do not count.`,
    },
  };
}

function metadataFile(runs: SuiteRuns, results: readonly EvalResult[]): WorkspaceFile {
  // A group is never empty.
  const first = results[0] as EvalResult;
  const assertions = [...new Set(results.flatMap((result) => statementsOf(result).map(({ text }) => text)))];
  const metadata = {
    eval_id: evalIds(runs).get(first.case),
    eval_name: first.case,
    prompt: promptOf(runs, first),
    assertions,
  };
  return json(`${runs.folder}/${evalFolder(first.case)}/eval_metadata.json`, metadata);
}

function promptOf(runs: SuiteRuns, result: EvalResult): string {
  return (
    caseOf(runs, result)
      ?.conversation.map(({ input }) => input)
      .join('\n\n') ?? result.input
  );
}

function transcriptOf({ steps, answer }: EvalResult, prompt: string): string {
  const lines = steps.map(({ label, ok, detail }) => {
    const failed = ok === false ? ' (failed)' : '';
    return `- ${label}${failed}${detail === undefined || detail === '' ? '' : `\n\n${indented(detail)}\n`}`;
  });
  return `## Eval Prompt\n\n${prompt}\n\n## Steps\n\n${lines.join('\n')}\n\n## Answer\n\n${answer}\n`;
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n');
}

function json(path: string, value: object): WorkspaceFile {
  return { path, text: `${escapedJson(value, 2)}\n` };
}
