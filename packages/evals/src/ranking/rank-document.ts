import { escapedJson } from '@skillpack/core';
import * as z from 'zod/mini';
import { digestSchema } from '../plan/job-schema.js';
import { rateSchema } from '../score/rate-schema.js';
import { readReportJson } from '../score/read-report-json.js';
import type { RankReport } from './rank-report.js';

const texts = z.lazy(() => z.array(z.string()));

const query = z.lazy(() =>
  z.object({
    suite: z.string(),
    case: z.string(),
    query: z.string(),
    wanted: texts,
    not: texts,
    found: texts,
    rank: z.optional(z.int().check(z.minimum(1))),
  }),
);

const schema = z.lazy(() =>
  z.object({
    formatVersion: z.literal(1),
    catalogue: z.array(z.object({ skill: z.string(), digest: digestSchema })),
    queries: z.array(query),
    first: rateSchema,
    amongFive: rateSchema,
    keptAway: rateSchema,
  }),
);

/**
 * Reads what `formatRankReport` writes, from anywhere.
 *
 * @param options the file that it is in, for messages. @default it is called the text
 * @throws `INVALID_RESULTS` for what is no report of ranks; `UNSUPPORTED_FORMAT` for one of another version.
 */
export function parseRankReport(
  text: string,
  { fileName = 'The text' }: { readonly fileName?: string | undefined } = {},
): RankReport {
  // In JSON a field that is `undefined` is not there: whoever reads it finds the same.
  return readReportJson(text, schema, {
    fileName,
    what: 'a report of ranks',
    hint: 'Rank the queries again.',
  }) as RankReport;
}

/** A report of ranks as JSON, with a line break at its end; same report, same text. Characters that nobody can see are escaped. */
export function formatRankReport(report: RankReport): string {
  return `${escapedJson(report, 2)}\n`;
}
