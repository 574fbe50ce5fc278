import type { Comparison, Outcome } from '../measure/run-race.ts';
import { megabytes, memoryLimits, verdictOn, type Verdict } from './verdict.ts';

const words: Readonly<Record<Verdict, string>> = { aim: 'aim', bar: 'bar', missed: '**missed**', shown: '' };

const head = [
  ['row', 'ours', 'CPU', 'reference', 'takes', 'CPU', 'ratio', 'bar', 'aim', 'verdict', 'peak MB'],
  ['---', '--:', '--:', '---', '--:', '--:', '--:', '--:', '--:', '---', '--:'],
];

/** The outcomes as a table of Markdown: times in milliseconds, CPU time of all processes together. */
export function tableOf(outcomes: readonly Outcome[]): string {
  return aligned([...head, ...outcomes.flatMap(rowsOf)]);
}

function rowsOf(outcome: Outcome): readonly (readonly string[])[] {
  const { id, ours, peakBytes, comparisons } = outcome;
  const memory = verdictOn(peakBytes, memoryLimits);
  const peak = memory === 'missed' ? `**${megabytes(peakBytes)}**` : megabytes(peakBytes);
  return comparisons.map((comparison, index) => [
    index === 0 ? id : '',
    index === 0 ? time(ours.milliseconds) : '',
    index === 0 ? time(ours.cpuMilliseconds) : '',
    ...cellsOf(comparison),
    index === 0 ? peak : '',
  ]);
}

function cellsOf({ rival, ratio, bar, aim }: Comparison): readonly string[] {
  const limits = [bar?.toString() ?? '', aim?.toString() ?? ''];
  if ('absent' in rival) return [rival.name, '', '', '', ...limits, rival.absent];
  return [
    rival.name,
    time(rival.milliseconds),
    time(rival.cpuMilliseconds),
    ratio?.toFixed(2) ?? '',
    ...limits,
    words[verdictOn(ratio, { bar, aim })],
  ];
}

function time(milliseconds: number): string {
  return milliseconds < 100 ? milliseconds.toFixed(1) : milliseconds.toFixed(0);
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => `| ${row.map((cell, column) => pad(cell, widths[column] ?? 0)).join(' | ')} |`).join('\n');
}

function pad(cell: string, width: number): string {
  return /^-+:$/u.test(cell)
    ? `${'-'.repeat(width - 1)}:`
    : /^-+$/u.test(cell)
      ? '-'.repeat(width)
      : cell.padEnd(width);
}
