import type { RankComparison, RankReport } from '../ranking/rank-report.js';
import { expectRanks } from './expect-report.js';
import { countOf } from './count-of.js';
import { markdownTable, markdownText } from './markdown-text.js';
import { missedQueries, rankTable, tellMove, tellThefts } from './rank-lines.js';
import { tellKeptAway } from './tell-kept-away.js';

/** Queries that are listed; the others are counted. */
const listed = 50;

/** What a ranking says, and how it differs from an older one, as Markdown. Texts from outside stand in it as text. */
export function renderRanksMarkdown(ranks: RankReport, comparison?: RankComparison): string {
  expectRanks(ranks, comparison, 'renderRanksMarkdown');
  const queries = countOf(ranks.queries.length, 'query', 'queries');
  const beside = tellKeptAway(ranks);
  const lines = [
    '## Ranking without a model',
    '',
    `${queries} over ${countOf(ranks.catalogue.length, 'skill')}. It costs nothing, and is no measure of what a model chooses.`,
    '',
    ...markdownTable(rankTable(ranks)),
    ...(beside === undefined ? [] : ['', markdownText(beside)]),
    ...(comparison === undefined ? [] : compared(comparison)),
    ...details('Not found first', missedQueries(ranks, comparison)),
  ];
  return `${lines.join('\n')}\n`;
}

function compared(comparison: RankComparison): readonly string[] {
  const { verdict, reasons, moves } = comparison;
  return [
    '',
    `### Against the baseline: ${verdict.replace('_', ' ')}`,
    '',
    ...list(reasons),
    ...shorten(tellThefts(comparison)),
    ...details('Another skill is first', moves.map(tellMove)),
  ];
}

function list(texts: readonly string[]): readonly string[] {
  return texts.map((text) => `- ${markdownText(text)}`);
}

function details(title: string, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [];
  return ['', `<details><summary>${title}: ${texts.length}</summary>`, '', ...shorten(texts), '', '</details>'];
}

function shorten(texts: readonly string[]): readonly string[] {
  const more = texts.length > listed ? [`- and ${countOf(texts.length - listed, 'other')}`] : [];
  return [...list(texts.slice(0, listed)), ...more];
}
