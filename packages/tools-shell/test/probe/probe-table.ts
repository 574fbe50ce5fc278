import { sandboxAbilities } from '../../src/sandbox/sandbox-abilities.js';
import { abilityOf, type ProbedSandbox, type ProbeReport } from './probe-report.js';
import type { ProbeAccount } from './start-probe.js';

/** One column of the table: who was confined by what, and what came of it. */
export interface ProbeColumn {
  readonly sandbox: ProbedSandbox;
  readonly account: ProbeAccount;
  readonly report: ProbeReport;
}

const begin = '<!-- probe: written by `pnpm probe --write` -->\n';
const end = '<!-- /probe -->';
const headings = {
  none: { root: 'no sandbox, root', user: 'no sandbox, user' },
  bubblewrap: { root: 'bubblewrap, root', user: 'bubblewrap, user' },
  'sandbox-runtime': { root: 'sandbox-runtime, root', user: 'sandbox-runtime, user' },
} as const;

/**
 * The table of what scripts can do: a row for each ability, in Markdown as the formatter leaves it. What a sandbox does
 * not promise to keep from scripts counts as what they can do.
 */
export function renderProbeTable(columns: readonly ProbeColumn[]): string {
  const titles = columns.map(({ sandbox, account }) => headings[sandbox][account]);
  const rows = sandboxAbilities.map(({ id, words }) => [
    words,
    ...columns.map(({ report }) => {
      const denied = abilityOf(report, id).verdict === 'denied' && !report.leaves.includes(words);
      return denied ? 'no' : '**yes**';
    }),
  ]);
  const all = [['A script can …', ...titles], ...rows];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  const [head = [], ...others] = all;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('');
}

/** The part of a page that the table fills. */
export function splitProbePage(page: string): readonly [before: string, table: string, after: string] {
  const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf(end)];
  if (from < begin.length || to < from) throw new Error('the page has no place for the table of the probe');
  return [page.slice(0, from), page.slice(from, to).replace(/^\n|\n$/gu, ''), page.slice(to)];
}

/** What a table says, by ability and heading: `yes` or `no`. */
export type ProbeTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function readProbeTable(table: string): ProbeTable {
  const cells = (line: string): readonly string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('**', ''));
  const [head = '', , ...lines] = table.trim().split('\n');
  const titles = cells(head).slice(1);
  return Object.fromEntries(
    lines.map((line) => {
      const [words = '', ...values] = cells(line);
      return [words, Object.fromEntries(titles.map((title, index) => [title, values[index] ?? '']))];
    }),
  );
}
