import { escapedJson } from '@skillpack/core';
import type { EvalReport } from './eval-report.js';
import { readReportJson } from './read-report-json.js';
import { reportSchema } from './report-schema.js';

/**
 * Reads what `formatReport` writes, from anywhere.
 *
 * @param options the file that it is in, for messages. @default it is called the text
 * @throws `INVALID_RESULTS` for what is no report; `UNSUPPORTED_FORMAT` for one of another version.
 */
export function parseReport(
  text: string,
  { fileName = 'The text' }: { readonly fileName?: string | undefined } = {},
): EvalReport {
  // In JSON a field that is `undefined` is not there: whoever reads it finds the same.
  return readReportJson(text, reportSchema, {
    fileName,
    what: 'a report of evals',
    hint: 'Make it again from the results.',
  }) as EvalReport;
}

/** A report as JSON, with a line break at its end; same report, same text. Characters that nobody can see are escaped. */
export function formatReport(report: EvalReport): string {
  return `${escapedJson(report, 2)}\n`;
}
