import { stripVTControlCharacters } from 'node:util';

/** Rows as aligned columns, two spaces apart; colours do not count. Rows may have different lengths. */
export function columns(rows: readonly (readonly string[])[], indent: string = ''): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
  }
  return rows
    .map((row) => {
      const cells = row.map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - widthOf(cell)));
      return (indent + cells.join('  ')).trimEnd();
    })
    .join('\n');
}

function widthOf(cell: string): number {
  return [...stripVTControlCharacters(cell)].length;
}
