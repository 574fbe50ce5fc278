import type { Comparison, Outcome, Standing } from '../measure/run-race.ts';
import { markdownTable } from './markdown-table.ts';

/** The outcomes of one row at two sizes. */
export interface Growth {
  readonly small: Outcome;
  readonly large: Outcome;
}

/**
 * How times and memory grow, as a table of Markdown. The exponent is that of size: 1 is time in proportion, 0 is time that
 * does not depend on it.
 */
export function growthTable(growths: readonly Growth[], scale: number): string {
  const head = [
    ['row', 'program', 'ms', `ms at ${scale} ×`, 'exponent', 'of CPU', 'peak MB', `peak MB at ${scale} ×`],
    ['---', '---', '--:', '--:', '--:', '--:', '--:', '--:'],
  ];
  const rows = growths.flatMap(({ small, large }) => [
    [
      small.id,
      small.ours.name,
      ...times(small.ours, large.ours, scale),
      memory(small.peakBytes),
      memory(large.peakBytes),
    ],
    ...small.comparisons.flatMap((comparison, index) => {
      const [before, after] = [standingOf(comparison), standingOf(large.comparisons[index])];
      return before === undefined || after === undefined
        ? []
        : [['', before.name, ...times(before, after, scale), '', '']];
    }),
  ]);
  return markdownTable([...head, ...rows]);
}

function times(small: Standing, large: Standing, scale: number): readonly string[] {
  const exponent = (before: number, after: number): string => (Math.log(after / before) / Math.log(scale)).toFixed(2);
  return [
    small.milliseconds.toFixed(0),
    large.milliseconds.toFixed(0),
    exponent(small.milliseconds, large.milliseconds),
    exponent(small.cpuMilliseconds, large.cpuMilliseconds),
  ];
}

function standingOf(comparison: Comparison | undefined): Standing | undefined {
  return comparison === undefined || 'absent' in comparison.rival ? undefined : comparison.rival;
}

function memory(bytes: number | undefined): string {
  return bytes === undefined ? '–' : (bytes / 1_000_000).toFixed(0);
}
