import type { RankReport } from './rank-report.js';

/**
 * Reads what `formatRankReport` writes, from anywhere.
 *
 * @throws `INVALID_RESULTS` for what is no report of ranks; `UNSUPPORTED_FORMAT` for one of another version.
 */
export function parseRankReport(text: string, options: { readonly fileName: string }): RankReport {
  throw new Error(`Not written: ${text.length} ${options.fileName}.`);
}

/** A report of ranks as JSON, with a line break at its end; same report, same text. */
export function formatRankReport(report: RankReport): string {
  throw new Error(`Not written: ${report.queries.length}.`);
}
