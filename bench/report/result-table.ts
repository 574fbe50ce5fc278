import type { Comparison, Outcome } from '../measure/run-race.ts';
import { markdownTable } from './markdown-table.ts';
import { megabytes, memoryLimits, verdictOn, type Verdict } from './verdict.ts';

const words: Readonly<Record<Verdict, string>> = { aim: 'aim', bar: 'bar', missed: '**missed**', shown: '' };

const head = [
  ['row', 'ours', 'CPU', 'reference', 'takes', 'CPU', 'ratio', 'bar', 'aim', 'verdict', 'peak MB'],
  ['---', '--:', '--:', '---', '--:', '--:', '--:', '--:', '--:', '---', '--:'],
];

/** The outcomes as a table of Markdown: times in milliseconds, CPU time of all processes of a contestant together. */
export function resultTable(outcomes: readonly Outcome[]): string {
  return markdownTable([...head, ...outcomes.flatMap(rowsOf)]);
}

/** What each row did, and what its references did not do, as a list of Markdown. */
export function jobList(outcomes: readonly Outcome[]): string {
  return outcomes
    .map(({ id, job, rounds, comparisons }) => {
      const lacks = comparisons.flatMap(({ rival }) =>
        'lacks' in rival && rival.lacks !== undefined ? [`${rival.name}: ${rival.lacks}`] : [],
      );
      return `- **${id}**: ${[`${job}, ${rounds} rounds`, ...lacks].join('. ')}.`;
    })
    .join('\n');
}

function rowsOf({ id, ours, peakBytes, comparisons }: Outcome): readonly (readonly string[])[] {
  const peak = megabytes(peakBytes);
  const first = [id, time(ours.milliseconds), time(ours.cpuMilliseconds)];
  return comparisons.map((comparison, index) => [
    ...(index === 0 ? first : ['', '', '']),
    ...cellsOf(comparison),
    index > 0 ? '' : verdictOn(peakBytes, memoryLimits) === 'missed' ? `**${peak}**` : peak,
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
