import { open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import expected from './fixtures/table/expected.json' with { type: 'json' };
import { type Outcome, runScript, type Surroundings, temporaryFolder } from './run-script.js';

const fixtures = join(import.meta.dirname, 'fixtures/table');

async function table(args: readonly string[], surroundings?: Surroundings): Promise<Outcome> {
  return runScript('table/scripts/table.mjs', args, surroundings);
}

interface Profile {
  readonly encoding: string;
  readonly delimiter: string;
  readonly header: boolean;
  readonly lineEnds: string;
  readonly rows: number;
  readonly duplicateRows: number | null;
  readonly raggedRows: { readonly count: number; readonly lines: readonly number[] };
  readonly quoteProblems: number;
  readonly columns: readonly ProfiledColumn[];
  readonly correlations: readonly {
    readonly a: string;
    readonly b: string;
    readonly r: number;
    readonly rows: number;
  }[];
}

interface ProfiledColumn {
  readonly name: string;
  readonly type: string;
  readonly missing: number;
  readonly missingMarkers: Readonly<Record<string, number>>;
  readonly distinct: number;
  readonly unit?: string;
  readonly decimalMark?: string;
  readonly numbers?: Readonly<Record<string, number>> & {
    readonly histogram: readonly { readonly from: number; readonly to: number; readonly count: number }[];
    readonly outliers: { readonly count: number; readonly largest: readonly number[] };
  };
  readonly dates?: { readonly min: string; readonly max: string; readonly order: string; readonly ambiguous: boolean };
  readonly top: readonly { readonly value: string; readonly count: number }[];
}

async function profile(file: string, ...options: string[]): Promise<Profile> {
  const { code, stdout, stderr } = await table(['profile', join(fixtures, file), '--json', ...options]);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Profile;
}

async function profileText(input: string | Buffer, ...options: string[]): Promise<Profile> {
  const { stdout, stderr } = await table(['profile', '-', '--json', ...options], { input });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Profile;
}

function column(found: Profile, name: string): ProfiledColumn {
  const wanted = found.columns.find((candidate) => candidate.name === name);
  if (wanted === undefined) throw new Error(`There is no column ${name}.`);
  return wanted;
}

function types(found: Profile): Record<string, string> {
  return Object.fromEntries(found.columns.map(({ name, type }) => [name, type]));
}

function expectStatistics(found: ProfiledColumn, computed: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(computed)) {
    expect(found.numbers?.[name], `${found.name}: ${name}`).toBeCloseTo(value, 8);
  }
}

describe('profile', () => {
  test('computes what Python computes', async () => {
    const found = await profile('measurements.csv');
    expect(found).toMatchObject({ delimiter: 'comma', header: true, encoding: 'utf-8', lineEnds: 'lf', rows: 500 });
    expect(types(found)).toEqual({
      id: 'integer',
      size: 'number',
      temperature: 'number',
      site: 'text',
      weight: 'number',
    });
    const { correlation, ...columns } = expected['measurements.csv'];
    for (const [name, computed] of Object.entries(columns)) expectStatistics(column(found, name), computed);
    const pair = found.correlations.find(({ a, b }) => a === 'size' && b === 'weight');
    expect(pair?.r).toBeCloseTo(correlation, 10);
    expect(pair?.rows).toBe(expected['measurements.csv'].size.count);
  });

  test('counts gaps by how they are spelled, and finds outliers', async () => {
    const found = await profile('measurements.csv');
    const gaps = 500 - expected['measurements.csv'].size.count;
    expect(column(found, 'size')).toMatchObject({ missing: gaps, missingMarkers: {} });
    expect(column(found, 'weight')).toMatchObject({ missing: gaps, missingMarkers: { NA: gaps } });
    expect(column(found, 'size').numbers?.outliers.largest[0]).toBe(999.5);
    const { histogram = [] } = column(found, 'temperature').numbers ?? {};
    expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(500);
    for (const [index, bin] of histogram.slice(1).entries()) expect(bin.from).toBe(histogram[index]?.to);
  });

  test('understands what a German Excel writes', async () => {
    const found = await profile('german-excel.csv');
    expect(found).toMatchObject({ encoding: 'windows-1252', delimiter: 'semicolon', lineEnds: 'crlf', rows: 120 });
    expect(types(found)).toEqual({ Datum: 'date', Käufer: 'text', Betrag: 'number', Anteil: 'number' });
    expect(column(found, 'Betrag')).toMatchObject({ unit: '€', decimalMark: 'comma' });
    expect(column(found, 'Anteil')).toMatchObject({ unit: '%' });
    expectStatistics(column(found, 'Betrag'), expected['german-excel.csv'].Betrag);
    expectStatistics(column(found, 'Anteil'), expected['german-excel.csv'].Anteil);
    expect(column(found, 'Käufer').top).toEqual([{ value: 'Müller & Söhne', count: 120 }]);
    expect(column(found, 'Datum').dates).toMatchObject({ min: '2025-01-01', max: '2025-12-28', order: 'day first' });
  });

  test('reads UTF-16 with and without a mark, and line ends inside quotes', async () => {
    const marked = await profile('unicode-text.tsv');
    expect(marked).toMatchObject({ encoding: 'utf-16le', delimiter: 'tab', rows: 2 });
    expect(column(marked, 'Notiz').top).toContainEqual({ value: 'erste Zeile\nzweite "Zeile"', count: 1 });
    const unmarked = await profile('unmarked-utf16.csv');
    expect(unmarked).toMatchObject({ encoding: 'utf-16be', rows: 2 });
    expect(column(unmarked, 'people').numbers?.['sum']).toBe(4_900_000);
  });

  test('keeps codes as text, and says which words it took for gaps', async () => {
    const found = await profile('codes.csv');
    expect(types(found)).toEqual({ zip: 'text', ean: 'text', country: 'text', active: 'boolean', score: 'integer' });
    expect(column(found, 'zip').top.map(({ value }) => value)).toContain('00501');
    expect(column(found, 'country').missingMarkers).toEqual({ NA: 2 });
    expect(column(found, 'score').missingMarkers).toEqual({ 'n/a': 1, '-': 1 });
    const strict = await profile('codes.csv', '--missing', 'n/a,-');
    expect(column(strict, 'country').missing).toBe(0);
  });

  test('does without a header, with uneven rows, stray quotes and old line ends', async () => {
    const found = await profile('no-header.csv');
    expect(found).toMatchObject({ header: false, lineEnds: 'cr', rows: 5, duplicateRows: 1, quoteProblems: 1 });
    expect(found.raggedRows).toEqual({ count: 2, lines: [4, 5] });
    expect(types(found)).toEqual({ 'column 1': 'integer', 'column 2': 'text', 'column 3': 'number' });
    expect((await profile('no-header.csv', '--header', 'yes')).rows).toBe(4);
  });

  test('reads dates in many forms, and says when their order is open', async () => {
    const found = await profile('dates.csv');
    expect(column(found, 'us').dates).toEqual({
      min: '2022-06-07',
      max: '2024-01-02',
      order: 'month first',
      ambiguous: false,
    });
    expect(column(found, 'unclear').dates?.ambiguous).toBe(true);
    expect(column(found, 'iso').dates).toMatchObject({ max: '2024-02-29T10:00:00', order: 'unambiguous' });
    expect(column(found, 'named').dates).toMatchObject({ min: '2022-03-12', max: '2024-01-05' });
    expect(column(found, 'bad').type).toBe('text');
  });

  test('takes years for names, obeys “sep=”, renames doubles', async () => {
    expect(types(await profile('years.csv'))).toEqual({
      country: 'text',
      2019: 'number',
      2020: 'number',
      2021: 'number',
    });
    expect(await profile('separator.csv')).toMatchObject({ delimiter: 'semicolon', rows: 2 });
    const twice = await profileText('a,a,,a (2)\n1,2,3,4\n', '--header', 'yes');
    expect(twice.columns.map(({ name }) => name)).toEqual(['a', 'a (2)', 'column 3', 'a (2) (2)']);
  });

  test('gives an empty table for an empty file, and one column for a list', async () => {
    expect(await profileText('')).toMatchObject({ rows: 0, columns: [] });
    expect(await profileText('name\n')).toMatchObject({ rows: 0, columns: [{ name: 'name', type: 'empty' }] });
    expect(await profileText('n\n1\n2\n')).toMatchObject({ rows: 2, columns: [{ name: 'n', type: 'integer' }] });
  });

  test('reads any table back as it was written, whatever is in it', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom('', '"', '""', 'a\nb', 'a\r\nb', ',', ';', '\t', ' x ', '1,5'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        async (rows) => {
          const text = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')).join('\r\n');
          const args = ['head', '-', '--json', '--header', 'no', '--delimiter', 'comma', '--encoding', 'utf-8'];
          const { stdout } = await table(args, { input: Buffer.from(text) });
          expect((JSON.parse(stdout) as { rows: string[][] }).rows).toEqual(rows);
        },
      ),
      { numRuns: 12 },
    );
  });

  test('stays small and honest on a large table', async () => {
    const file = join(await temporaryFolder(), 'large.csv');
    const handle = await open(file, 'w');
    await handle.write('id,group,size,text\n');
    const count = 300_000;
    for (let start = 0; start < count; start += 10_000) {
      const lines = Array.from({ length: 10_000 }, (_, index) => {
        const id = start + index;
        return `${id},g${id % 7},${(id * 7919) % 100_003},"row ${id}, with ""quotes"" and ${'x'.repeat(id % 40)}"\n`;
      });
      await handle.write(lines.join(''));
    }
    await handle.close();
    const { code, stdout } = await table(['profile', file, '--json'], {
      env: { NODE_OPTIONS: '--max-old-space-size=160' },
    });
    expect(code).toBe(0);
    const found = JSON.parse(stdout) as Profile;
    expect(found).toMatchObject({ rows: count, duplicateRows: null, raggedRows: { count: 0 } });
    expect(column(found, 'id').numbers).toMatchObject({
      min: 0,
      max: count - 1,
      mean: (count - 1) / 2,
      exactQuantiles: false,
    });
    expect(column(found, 'id').numbers?.['median']).toBeGreaterThan(count * 0.48);
    expect(column(found, 'id').numbers?.['median']).toBeLessThan(count * 0.52);
    expect(column(found, 'group')).toMatchObject({ distinct: 7, exactDistinct: true });
    expect(column(found, 'text').distinct).toBeGreaterThan(count * 0.9);
    expect(column(found, 'text').distinct).toBeLessThan(count * 1.1);
  });
});

describe('chart', () => {
  test('draws histograms, bars and lines', async () => {
    const file = join(fixtures, 'measurements.csv');
    const histogram = (await table(['chart', file, '--column', 'temperature'])).stdout;
    expect(histogram).toContain('500 values, 0 missing');
    const bars = (await table(['chart', file, '--column', 'site'])).stdout;
    const counts = [...bars.matchAll(/<title>(\w+): (\d+)<\/title>/gu)].map(([, , count]) => Number(count));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(500);
    const line = (await table(['chart', file, '--column', 'size', '--x', 'id', '--title', 'Growth'])).stdout;
    expect(line).toContain('<title>Growth</title>');
    const points = /<polyline points="([^"]+)"/u.exec(line)?.[1]?.split(' ') ?? [];
    expect(points).toHaveLength(expected['measurements.csv'].size.count);
    const overTime = (await table(['chart', join(fixtures, 'german-excel.csv'), '--column', 'Betrag', '--x', 'Datum']))
      .stdout;
    expect(overTime).toContain('>2025-01-01</text>');
    for (const svg of [histogram, bars, line, overTime]) expect(svg).not.toMatch(/NaN|Infinity|undefined/u);
  });

  test('escapes whatever the table says', async () => {
    const evil = '</title><script>alert(1)</script>"\'&\u0007\u202E';
    const input = `"${evil.replaceAll('"', '""')}",n\n"<img onerror=x>",1\nb,2\n`;
    const { stdout } = await table(['chart', '-', '--column', '1', '--kind', 'bar', '--header', 'yes'], { input });
    expect(stdout).toContain('&lt;script&gt;');
    expect(stdout).toContain('&lt;img onerror=x&gt;');
    expect(stdout).not.toMatch(/<script|<img|(?!\n)\p{Cc}|\u202E/u);
    const tags = [...stdout.matchAll(/<\/?([a-z]+)/gu)].map(([, tag]) => tag);
    expect(new Set(tags)).toEqual(new Set(['svg', 'title', 'rect', 'text', 'line']));
  });

  test('writes a file only where none is', async () => {
    const folder = await temporaryFolder();
    const out = join(folder, 'chart.svg');
    const args = ['chart', join(fixtures, 'years.csv'), '--column', '2021', '--out', out];
    expect(await table(args)).toEqual({ code: 0, stdout: `${out}\n`, stderr: '' });
    const svg = await readFile(out, 'utf8');
    const again = await table(args);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('error OUTPUT_EXISTS: ');
    expect(await table([...args, '--force'])).toMatchObject({ code: 0 });
    expect(await readFile(out, 'utf8')).toBe(svg);
    expect(await readdir(folder)).toEqual(['chart.svg']);
    const nowhere = await table([...args.slice(0, -1), join(folder, 'none', 'x.svg')]);
    expect(nowhere.stderr).toContain('error OUTPUT_FAILED: ');
  });

  test('gives the same bytes for the same table', async () => {
    const args = ['chart', join(fixtures, 'measurements.csv'), '--column', 'size'];
    expect((await table(args)).stdout).toBe((await table(args)).stdout);
  });
});

describe('errors', () => {
  test.each([
    ['a missing file', ['profile', 'missing.csv'], 'FILE_NOT_FOUND', ''],
    ['a folder', ['profile', fixtures], 'FILE_UNREADABLE', ''],
    ['a column that is not there', ['chart', join(fixtures, 'years.csv'), '--column', 'x'], 'NO_SUCH_COLUMN', ''],
    [
      'words drawn as a line',
      ['chart', join(fixtures, 'years.csv'), '--column', '1', '--kind', 'line'],
      'NOT_NUMERIC',
      '',
    ],
    ['a chart of nothing', ['chart', '-', '--column', 'a'], 'EMPTY', 'a\n'],
    ['a quote that never closes', ['profile', '-'], 'UNCLOSED_QUOTE', 'a,b\n1,"2\n3,4\n'],
    ['a field without end', ['profile', '-'], 'FIELD_TOO_LONG', `a\n"${'x'.repeat(3_000_000)}`],
    ['a row without end', ['profile', '-'], 'TOO_MANY_COLUMNS', `a\n${'1,'.repeat(5000)}`],
    ['a spreadsheet', ['profile', '-'], 'NOT_A_TABLE', 'PK\u0003\u0004 and so on'],
    ['bytes that are no text', ['profile', '-'], 'NOT_A_TABLE', 'a,b\n\u0000\u0000\u0000\u0001,2\n'],
  ])('name %s', async (_, args, code, input) => {
    const outcome = await table(args, { input });
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(new RegExp(`^error ${code}: [^\n]+\nhint: [^\n]+\n$`, 'u'));
  });

  test('say where a quote is open', async () => {
    const { stderr } = await table(['profile', '-'], { input: 'a,b\n1,2\n3,"4\n5,6\n' });
    expect(stderr).toContain('the row of line 3 is never closed');
  });

  test.each([
    [[]],
    [['draw', 'x']],
    [['profile']],
    [['profile', 'a', 'b']],
    [['profile', 'a', '--out', 'x']],
    [['profile', 'a', '--header', 'maybe']],
    [['profile', 'a', '--delimiter', ';;']],
    [['profile', 'a', '--encoding', 'klingon']],
    [['chart', 'a']],
    [['chart', 'a', '--column', 'b', '--kind', 'pie']],
    [['head', 'a', '--rows', '0']],
  ])('of usage end with 2: %j', async (args) => {
    const outcome = await table(args);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/^error USAGE: /u);
  });

  test('never show what could steer a terminal', async () => {
    const { stdout } = await table(['profile', '-'], { input: 'a,\u001B[31mb\n\u202Ex\u0007,"y\u009B31m"\n' });
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}|\u202E/u);
  });
});

test('a quoted field may lie across the end of the first megabyte', async () => {
  const before = `a;b\n${'1;2\n'.repeat(262_000)}`;
  const field = 'x\n'.repeat(20_000);
  const found = await profileText(`${before}3;"${field}"\n4;5\n`);
  expect(before.length + field.length).toBeGreaterThan(1_048_576);
  expect(before.length).toBeLessThan(1_048_576);
  expect(found).toMatchObject({ delimiter: 'semicolon', rows: 262_002, raggedRows: { count: 0 } });
});

test('a byte that is no UTF-8 far down makes the whole file Windows-1252', async () => {
  const file = join(await temporaryFolder(), 'late.csv');
  const lines = Buffer.from(`name,n\n${'plain,1\n'.repeat(200_000)}`);
  await writeFile(
    file,
    Buffer.concat([lines, Buffer.from([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72, 0x2c, 0x80, 0x32, 0x0a])]),
  );
  expect((await stat(file)).size).toBeGreaterThan(1_048_576);
  const { stdout } = await table(['profile', file, '--json']);
  const found = JSON.parse(stdout) as Profile;
  expect(found.encoding).toBe('windows-1252');
  expect(column(found, 'name').top).toContainEqual({ value: 'Müller', count: 1 });
  expect(column(found, 'n')).toMatchObject({ type: 'integer', unit: '€' });
});
