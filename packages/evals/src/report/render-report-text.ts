import type { EvalReport } from '../score/eval-report.js';

/** A report as plain lines for a console: no colour, no control characters; each line ends with a line break. */
export function renderReportText(report: EvalReport): string {
  return `${report.title}\n`;
}
