import type { TextTable } from './score-table.js';

/** Lines of a table whose columns stand below each other, each line indented by two spaces. */
export function alignTable({ head, rows }: TextTable): readonly string[] {
  const all = [head, ...rows];
  const widths = head.map((_name, column) => all.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0));
  return all.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}
