import type { CompareOptions } from '../gate/compare-results.js';
import type { RankComparison, RankReport } from './rank-report.js';

/**
 * How a catalogue ranks the queries that both reports have otherwise than an older one.
 *
 * @throws `USAGE` for options that cannot be.
 */
export function compareRanks(before: RankReport, after: RankReport, options: CompareOptions = {}): RankComparison {
  throw new Error(`Not written: ${before.queries.length} ${after.queries.length} ${options.seed}.`);
}
