/** Rows of cells as a table of Markdown; the second row holds `---` for columns of text and `--:` for columns of numbers. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const right = (rows[1] ?? []).map((cell) => cell.endsWith(':'));
  const widths = right.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row, index) =>
    row.map((cell, column) => {
      const width = widths[column] ?? 0;
      if (index === 1) return right[column] === true ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width);
      return right[column] === true ? cell.padStart(width) : cell.padEnd(width);
    }),
  );
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
