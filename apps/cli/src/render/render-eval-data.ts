import { renderRanksText, renderReportText, type EvalVerdict } from '@skillpack/evals';
import type { EvalData } from '../evals/eval-data.js';
import type { Style } from '../frame/style.js';

/** How much is told. */
export interface RenderEvalDataOptions {
  /** Whether the whole report is told, or its verdict alone. */
  readonly console: boolean;
}

/** What evals came to, for people: the report, where its files are, and last the verdict. */
export function renderEvalData(data: EvalData, style: Style, { console }: RenderEvalDataOptions): string {
  const { report, ranks, rankComparison, reports, shard, verdict } = data;
  const parts: string[] = [];
  if (console && ranks !== null) parts.push(renderRanksText(ranks, rankComparison ?? undefined).trimEnd());
  if (console && report !== null) parts.push(renderReportText(report).trimEnd());
  if (reports.length > 0) parts.push(reports.map(({ reporter, path }) => style.dim(`${reporter}: ${path}`)).join('\n'));
  // A report says why itself.
  const told = console && report?.verdict.kind === verdict.kind;
  parts.push(
    shard === null
      ? renderVerdict(told ? shortened(verdict) : verdict, style)
      : `Part ${shard} is done; skills eval merge judges the whole.`,
  );
  return parts.filter((part) => part !== '').join('\n\n');
}

function shortened({ kind, reasons }: EvalVerdict): EvalVerdict {
  return { kind, reasons: reasons.slice(0, 1) };
}

/** A verdict, and why. */
function renderVerdict({ kind, reasons }: EvalVerdict, style: Style): string {
  const [first = '', ...rest] = reasons;
  const line = `${markOf(kind, style)} ${style.bold(kind)}: ${first}`;
  return [line, ...rest.map((reason) => `  ${reason}`)].join('\n');
}

function markOf(kind: EvalVerdict['kind'], style: Style): string {
  switch (kind) {
    case 'passed':
      return style.green('✓');
    case 'failed':
      return style.red('✗');
    case 'invalid':
    case 'incomplete':
      return style.yellow('!');
  }
}
