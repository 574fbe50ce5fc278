import { visibleText } from '@skillpack/core';
import type { EvalReport } from '../score/eval-report.js';
import { alignTable } from './align-table.js';
import { expectReport } from './expect-report.js';
import { countOf } from './count-of.js';
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

/** Cases that are listed; the others are counted. */
const listed = 20;

/** A report as plain lines for a console: no colour, no control characters; each line ends with a line break. @throws `USAGE` for what is no report. */
export function renderReportText(report: EvalReport): string {
  expectReport(report, 'renderReportText');
  const { verdict, comparison } = report;
  const failing = failingCells(report).map(tellFailing);
  const lines = [
    `${nameOfVerdict[verdict.kind]}: ${visibleText(report.title)}`,
    ...verdict.reasons.map((reason) => `  ${visibleText(reason)}`),
    '',
    tellCounts(report.counts),
    tellSpent(report.spent),
    ...part('Choosing of skills', tableOf(triggerTable(report))),
    ...part('Tasks', tableOf(taskTable(report))),
    ...part('Lift', report.lifts.map(tellLift).map(indent)),
    ...(comparison === undefined
      ? []
      : part(`Against the baseline: ${comparison.verdict.replace('_', ' ')}`, [
          ...comparison.reasons.map(visibleText).map(indent),
          ...comparison.measures.map(tellMeasure).map(indent),
          ...shorten(comparison.changes.map(tellChange).map(indent), 'change'),
          ...alone('Only in the baseline', comparison.onlyInBaseline),
          ...alone('Only here', comparison.onlyHere),
        ])),
    ...part('Failing', shorten(failing.map(indent), 'case')),
  ];
  return `${lines.join('\n')}\n`;
}

function part(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

function tableOf(table: TextTable): readonly string[] {
  return table.rows.length === 0 ? [] : alignTable(table);
}

function shorten(lines: readonly string[], of: string): readonly string[] {
  if (lines.length <= listed) return lines;
  return [...lines.slice(0, listed), `  and ${countOf(lines.length - listed, `other ${of}`)}`];
}

function alone(title: string, cases: readonly string[]): readonly string[] {
  if (cases.length === 0) return [];
  const named = cases.slice(0, 5).map(visibleText).join(', ');
  return [`  ${title}: ${countOf(cases.length, 'case')}, ${named}${cases.length > 5 ? ', …' : ''}`];
}

function indent(line: string): string {
  return `  ${line}`;
}
