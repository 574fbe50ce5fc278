import { visibleText } from '@skillpack/core';
import type { RankComparison, RankedQuery, RankMove, RankReport } from '../ranking/rank-report.js';
import { countOf } from './count-of.js';
import { formatRate } from './format-rate.js';
import type { TextTable } from './score-table.js';

/** How often queries find what they want. */
export function rankTable({ first, amongFive }: RankReport): TextTable {
  return { head: ['found first', 'among the first 5'], rows: [[formatRate(first), formatRate(amongFive)]] };
}

/** Queries that do not find what they want first, the worst ones first, each in a sentence. */
export function missedQueries({ queries }: RankReport, comparison?: RankComparison): readonly string[] {
  const told = new Set(comparison?.moves.map(placeOf));
  const place = ({ rank }: RankedQuery): number => rank ?? Infinity;
  return queries
    .filter((query) => query.wanted.length > 0 && query.rank !== 1 && !told.has(placeOf(query)))
    .toSorted((one, other) => (place(one) === place(other) ? 0 : place(other) - place(one)))
    .map(({ query, wanted, found, rank }) => {
      const where = rank === undefined ? 'not found' : `at ${rank}`;
      return `${visibleText(wanted.join(' or '))} ${where}, first is ${visibleText(found[0] ?? 'nothing')}: ${visibleText(query)}`;
    });
}

function placeOf({ suite, case: name }: Pick<RankedQuery, 'suite' | 'case'>): string {
  return JSON.stringify([suite, name]);
}

/** Who took queries from whom, each in a sentence; without those that the reasons name. */
export function tellThefts({ thefts, reasons }: RankComparison): readonly string[] {
  return thefts.flatMap(({ thief, victim, queries }) => {
    const took = `${visibleText(thief)} took ${countOf(queries.length, 'query', 'queries')} from ${visibleText(victim)}`;
    if (reasons.some((reason) => reason.startsWith(`${took}: `))) return [];
    return [queries[0] === undefined ? took : `${took}, such as ${visibleText(queries[0])}`];
  });
}

/** How the first skill of a query changed, in a sentence. */
export function tellMove({ query, before, after, lost, won }: RankMove): string {
  const what = lost ? ' (lost)' : won ? ' (won)' : '';
  return `${visibleText(before ?? 'nothing')} → ${visibleText(after ?? 'nothing')}${what}: ${visibleText(query)}`;
}
