import type { RankComparison, RankReport } from '../ranking/rank-report.js';
import { countOf } from './count-of.js';
import { markdownTable, markdownText } from './markdown-text.js';
import { missedQueries, rankTable, tellMove, tellThefts } from './rank-lines.js';

/** Queries that are listed; the others are counted. */
const listed = 50;

/** What a ranking says, and how it differs from an older one, as Markdown. Texts from outside stand in it as text. */
export function renderRanksMarkdown(ranks: RankReport, comparison?: RankComparison): string {
  const queries = countOf(ranks.queries.length, 'query', 'queries');
  const lines = [
    '## Ranking without a model',
    '',
    `${queries} over ${countOf(ranks.catalogue.length, 'skill')}. It costs nothing, and is no measure of what a model chooses.`,
    '',
    ...markdownTable(rankTable(ranks)),
    ...(comparison === undefined ? [] : compared(comparison)),
    ...details('Not found first', missedQueries(ranks)),
  ];
  return `${lines.join('\n')}\n`;
}

function compared(comparison: RankComparison): readonly string[] {
  const { verdict, reasons, changed, moves } = comparison;
  return [
    '',
    `### Against the baseline: ${verdict.replace('_', ' ')}`,
    '',
    ...list(reasons),
    ...list(changed.length === 0 ? [] : [`described otherwise: ${changed.join(', ')}`]),
    ...list(tellThefts(comparison).slice(0, listed)),
    ...details('Another skill is first', moves.map(tellMove)),
  ];
}

function list(texts: readonly string[]): readonly string[] {
  return texts.map((text) => `- ${markdownText(text)}`);
}

function details(title: string, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [];
  const more = texts.length > listed ? [`- and ${countOf(texts.length - listed, 'other')}`] : [];
  const summary = `<details><summary>${title}: ${texts.length}</summary>`;
  return ['', summary, '', ...list(texts.slice(0, listed)), ...more, '', '</details>'];
}
