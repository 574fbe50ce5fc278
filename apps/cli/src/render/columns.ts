import { stripVTControlCharacters } from 'node:util';
import { textWidth } from './text-width.js';

/** Rows as aligned columns, two spaces apart; wide characters count twice, colours not at all. Rows may have different lengths. */
export function columns(rows: readonly (readonly string[])[], indent: string = ''): string {
  // Nothing stands behind the last column, where the longest and the least plain texts are: it is not measured.
  const last = rows.reduce((most, { length }) => Math.max(most, length), 0) - 1;
  const measured = rows.map((row) => row.map((cell, index) => (index === last ? 0 : widthOf(cell))));
  const widths: number[] = [];
  for (const row of measured) {
    for (const [index, width] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, width);
  }
  return rows
    .map((row, at) => {
      const cells = row.map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - (measured[at]?.[index] ?? 0)));
      return (indent + cells.join('  ')).trimEnd();
    })
    .join('\n');
}

const printableAscii = /^[ -~]*$/u;

function widthOf(cell: string): number {
  return printableAscii.test(cell) ? cell.length : textWidth(stripVTControlCharacters(cell));
}
