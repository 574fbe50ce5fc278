import type { RankComparison, RankReport } from '../ranking/rank-report.js';

/** What a ranking says, and how it differs from an older one, as plain lines for a console. */
export function renderRanksText(ranks: RankReport, comparison?: RankComparison): string {
  return `${ranks.queries.length}${comparison?.verdict ?? ''}\n`;
}
