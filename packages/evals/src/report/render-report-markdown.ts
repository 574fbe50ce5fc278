import type { EvalReport } from '../score/eval-report.js';

/**
 * A report as Markdown, for the summary of a job on GitHub. Texts from outside stand in it as text: none is a link, an
 * image, HTML or a mention.
 */
export function renderReportMarkdown(report: EvalReport): string {
  return `# ${report.title}\n`;
}
