import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runPdf, sample, temporaryFolder } from './run-pdf.js';

// What `references/tables.md` tells of the two forms of text is so.

/** A piece of text, and where it stands: points from the lower left corner. */
type Piece = readonly [x: number, y: number, text: string];

const table = [
  ['Item', 'Price', 'Paid', 'Note'],
  ['Rope', '1,250.00', '(12.50)', 'Delivered late, so'],
  ['', '', '', 'half of it was paid'],
  ['Bolt', '3.20', '', 'from stock'],
];
const byRows = table.flatMap((row, y) => row.map((text, x): Piece => [60 + x * 110, 780 - y * 14, text]));
const byColumns = byRows.toSorted(([a], [b]) => a - b);
const prose: readonly Piece[] = [
  [60, 780, 'Rain fell on the ridge'],
  [60, 766, 'for many days.'],
  [310, 780, 'Nobody was there'],
  [310, 766, 'to see it.'],
];

test('a row with an empty cell loses its gap in plain text, and keeps it with --layout', async () => {
  const { plain, layout } = await bothForms(byRows);
  expect(plain).toContain('\nBolt 3.20 from stock\n');
  expect(cellsOf(layout, 'Bolt')).toEqual(['Bolt', '3.20', 'from stock']);
  expect(lineOf(layout, 'Bolt').indexOf('from stock')).toBe(lineOf(layout, 'Item').indexOf('Note'));
});

test('what continues a cell is a line whose first cells are empty', async () => {
  const { layout } = await bothForms(byRows);
  const line = lineOf(layout, 'half of it');
  expect(line.trim()).toBe('half of it was paid');
  expect(line.search(/\S/u)).toBe(lineOf(layout, 'Item').indexOf('Note'));
});

test('a table that was written by columns has rows with --layout alone', async () => {
  const { plain, layout } = await bothForms(byColumns);
  expect(plain).toContain('\nItem\nRope\nBolt\nPrice\n');
  expect(cellsOf(layout, 'Rope')).toEqual(['Rope', '1,250.00', '(12.50)', 'Delivered late, so']);
});

test('prose in two columns is one after the other in plain text, and side by side with --layout', async () => {
  const { plain, layout } = await bothForms(prose);
  expect(plain).toContain('Rain fell on the ridge\nfor many days.\nNobody was there\nto see it.');
  expect(cellsOf(layout, 'Rain')).toEqual(['Rain fell on the ridge', 'Nobody was there']);
});

test('the months of the sample come to what its first page says', async () => {
  const months = (await runPdf(['text', sample, '--pages', '3'])).stdout.matchAll(
    /^\w+ (?<rain>\d+\.\d) (?<days>\d+) [\d.]+$/gmu,
  );
  const rows = [...months].map(({ groups }) => [Number(groups?.['rain']), Number(groups?.['days'])] as const);
  expect(rows).toHaveLength(12);
  const rain = rows.reduce((sum, [millimetres]) => sum + millimetres, 0).toFixed(1);
  const days = rows.reduce((sum, [, count]) => sum + count, 0);
  expect([rain, days]).toEqual(['1284.6', 171]);
  expect((await runPdf(['text', sample, '--pages', '1'])).stdout).toContain('1,284.6 mm\nof rain on 171 days');
});

async function bothForms(pieces: readonly Piece[]): Promise<{ readonly plain: string; readonly layout: string }> {
  const file = join(await temporaryFolder(), 'page.pdf');
  await writeFile(file, onePage(pieces.filter(([, , text]) => text !== '')));
  const plain = await runPdf(['text', file]);
  const layout = await runPdf(['text', file, '--layout']);
  expect([plain.code, layout.code, plain.stderr, layout.stderr]).toEqual([0, 0, '', '']);
  return { plain: plain.stdout, layout: layout.stdout };
}

function lineOf(text: string, word: string): string {
  return text.split('\n').find((line) => line.includes(word)) ?? '';
}

function cellsOf(text: string, word: string): readonly string[] {
  return lineOf(text, word).trim().split(/ {2,}/u);
}

function onePage(pieces: readonly Piece[]): string {
  const drawn = pieces
    .map(([x, y, text]) => `BT /F1 10 Tf 1 0 0 1 ${x} ${y} Tm (${text.replaceAll(/[()]/gu, String.raw`\$&`)}) Tj ET`)
    .join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const end = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}${end}`;
}
