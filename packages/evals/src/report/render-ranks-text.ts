import { visibleText } from '@skillpack/core';
import type { RankComparison, RankReport } from '../ranking/rank-report.js';
import { alignTable } from './align-table.js';
import { expectRanks } from './expect-report.js';
import { countOf } from './count-of.js';
import { missedQueries, rankTable, tellMove, tellThefts } from './rank-lines.js';
import { tellKeptAway } from './tell-kept-away.js';

/** Queries that are listed; the others are counted. */
const listed = 20;

/**
 * What a ranking says, and how it differs from an older one, as plain lines for a console; each line ends with a line break.
 */
export function renderRanksText(ranks: RankReport, comparison?: RankComparison): string {
  expectRanks(ranks, comparison, 'renderRanksText');
  const queries = countOf(ranks.queries.length, 'query', 'queries');
  const beside = tellKeptAway(ranks);
  const lines = [
    `Ranking without a model: ${queries} over ${countOf(ranks.catalogue.length, 'skill')}`,
    '  It costs nothing, and is no measure of what a model chooses.',
    ...alignTable(rankTable(ranks)),
    ...(beside === undefined ? [] : [`  ${beside}`]),
    ...(comparison === undefined ? [] : compared(comparison)),
    ...part('Not found first', missedQueries(ranks, comparison)),
  ];
  return `${lines.join('\n')}\n`;
}

function compared(comparison: RankComparison): readonly string[] {
  const { verdict, reasons, moves } = comparison;
  const thefts = tellThefts(comparison);
  return [
    '',
    `Against the baseline: ${verdict.replace('_', ' ')}`,
    ...reasons.map((reason) => `  ${visibleText(reason)}`),
    ...shorten(thefts),
    ...part('Another skill is first', moves.map(tellMove)),
  ];
}

function part(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...shorten(lines)];
}

function shorten(lines: readonly string[]): readonly string[] {
  const more = lines.length > listed ? [`  and ${countOf(lines.length - listed, 'other')}`] : [];
  return [...lines.slice(0, listed).map((line) => `  ${line}`), ...more];
}
