import { streamingText } from '../../check/check-promises.js';
import type { CheckResult } from '../../check/check-result.js';
import type { EvalResult } from '../../results/eval-result.js';

/** What came of the checks of a trial. */
export interface GradingSummary {
  readonly passed: number;
  readonly failed: number;
  readonly total: number;
  readonly pass_rate: number;
}

/** A check, as viewers read it. */
export interface GradedStatement {
  readonly text: string;
  readonly passed: boolean;
  readonly evidence: string;
}

/**
 * The checks of a trial that tell how well its task was done. What is looked at in every trial, whatever its case expects (what
 * is disclosed, approved, and told piece by piece), holds with a skill and without it: it would make both rates alike, and
 * is a statement only where it does not hold.
 */
export function statementsOf({ checks }: Pick<EvalResult, 'checks'>): readonly CheckResult[] {
  return checks.filter(
    ({ kind, text, verdict }) =>
      verdict === 'failed' ||
      !(kind === 'disclosure' || kind === 'approvals' || (kind === 'output' && text === streamingText)),
  );
}

/** The statements of a trial that were judged. */
export function gradedStatements(result: EvalResult): readonly GradedStatement[] {
  return statementsOf(result)
    .filter(({ verdict }) => verdict !== 'not_judged')
    .map(({ text, verdict, evidence }) => ({ text, passed: verdict === 'passed', evidence }));
}

/** How many of them passed; a trial without any counts by its outcome. */
export function gradingSummary(result: EvalResult): GradingSummary {
  const statements = gradedStatements(result);
  const passed = statements.filter((statement) => statement.passed).length;
  const total = statements.length;
  const rate = total === 0 ? Number(result.outcome === 'passed') : passed / total;
  return { passed, failed: total - passed, total, pass_rate: rounded(rate) };
}

/** Four places behind the point are enough for a report. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Tokens of a trial, in and out of the model. */
export function tokensOf({ spent }: EvalResult): number {
  return spent.inputTokens + spent.outputTokens;
}

/** Seconds of a trial. */
export function secondsOf({ spent }: EvalResult): number {
  return spent.duration / 1000;
}

const noTools: ReadonlySet<string> = new Set(['final_answer', 'ask_user', 'update_plan']);

/** How often each tool was used, most first: what an agent does here that is no tool elsewhere counts by its name. */
export function toolCallsOf({ steps }: EvalResult): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { kind, label } of steps) {
    const [action = '', tool = ''] = label.split(' ');
    const name = action === 'call_tool' && tool !== '' ? tool : action;
    if (kind === 'action' && name !== '' && !noTools.has(action)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, left], [, right]) => right - left);
  return Object.fromEntries(sorted.filter(([name]) => name !== '__proto__'));
}

/** What the tools of a trial come to. */
export function executionMetrics(result: EvalResult, transcriptLength: number): object {
  const tool_calls = toolCallsOf(result);
  return {
    tool_calls,
    total_tool_calls: Object.values(tool_calls).reduce((sum, count) => sum + count, 0),
    total_steps: result.steps.length,
    errors_encountered: errorsOf(result),
    output_chars: result.answer.length,
    transcript_chars: transcriptLength,
  };
}

/** Steps of a trial that failed. */
export function errorsOf({ steps }: EvalResult): number {
  return steps.filter(({ ok }) => ok === false).length;
}
