import type { EvalReport } from '../score/eval-report.js';
import { expectReport } from './expect-report.js';
import { countOf } from './count-of.js';
import { markdownTable, markdownText } from './markdown-text.js';
import { taskTable, triggerTable, type TextTable } from './score-table.js';
import {
  failingCells,
  nameOfVerdict,
  tellChange,
  tellCounts,
  tellFailing,
  tellLift,
  tellMeasure,
  tellSpent,
} from './summary-lines.js';

/** Cases that are listed, so that a summary stays below the megabyte that GitHub takes. */
const listed = 50;

const signs: Readonly<Record<EvalReport['verdict']['kind'], string>> = {
  passed: '✅',
  failed: '❌',
  invalid: '⚠️',
  incomplete: '⏸️',
};

/**
 * A report as Markdown, for the summary of a job on GitHub. Texts from outside stand in it as text: none is a link, an
 * image, HTML or a mention.
 *
 * @throws `USAGE` for what is no report.
 */
export function renderReportMarkdown(report: EvalReport): string {
  expectReport(report, 'renderReportMarkdown');
  const { verdict, comparison } = report;
  const lines = [
    `# ${signs[verdict.kind]} ${nameOfVerdict[verdict.kind]}: ${markdownText(report.title)}`,
    '',
    ...list(verdict.reasons),
    '',
    `${markdownText(tellCounts(report.counts))}.`,
    '',
    `It took: ${markdownText(tellSpent(report.spent))}.`,
    ...part('Choosing of skills', tableOf(triggerTable(report))),
    ...part('Tasks', tableOf(taskTable(report))),
    ...part('Lift', list(report.lifts.map(tellLift))),
    ...(comparison === undefined
      ? []
      : part(`Against the baseline: ${comparison.verdict.replace('_', ' ')}`, [
          ...list(comparison.reasons),
          ...list(comparison.measures.map(tellMeasure)),
          ...details('Cases with another pass rate', comparison.changes.map(tellChange)),
          ...details('Cases only in the baseline', comparison.onlyInBaseline),
          ...details('Cases only here', comparison.onlyHere),
        ])),
    ...details('Failing', failingCells(report).map(tellFailing)),
  ];
  return `${lines.join('\n')}\n`;
}

function part(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];
}

function tableOf(table: TextTable): readonly string[] {
  return table.rows.length === 0 ? [] : markdownTable(table);
}

function list(texts: readonly string[]): readonly string[] {
  return texts.map((text) => `- ${markdownText(text)}`);
}

function details(title: string, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [];
  const more = texts.length > listed ? [`- and ${countOf(texts.length - listed, 'other')}`] : [];
  const summary = `<details><summary>${title}: ${texts.length}</summary>`;
  return ['', summary, '', ...list(texts.slice(0, listed)), ...more, '', '</details>'];
}
