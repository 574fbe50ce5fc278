import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixture, runPdf, sample, script, temporaryFolder } from './run-pdf.js';

const groffText = `--- page 1 of 2 ---
Three columns of nothing much
A. N. Typesetter
This page was set by groff and written by gropdf. It has an em dash — and a café.
apples 12
pears 7

--- page 2 of 2 ---
-2-
Second page, with the word zebra.
`;

test('is a program of its own that Node can read', () => {
  expect(() => execFileSync(process.execPath, ['--check', script])).not.toThrow();
});

describe('text', () => {
  test('gives the words of every page, accents and Chinese included', async () => {
    const { code, stdout, stderr } = await runPdf(['text', sample]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout.match(/^--- page \d of 4 ---$/gmu)).toHaveLength(4);
    expect(stdout).toContain('Authors: Inés Ångström (Göteborg) and 王小明 (杭州). Reviewed by Zoë Dvořáková.');
    expect(stdout).toContain('托兰岭气象站共记录降雨 1,284.6 毫米');
    expect(stdout).toContain('Heat the funnel, or at least wrap it.');
  });

  test.each(['groff', 'ghostscript', 'linearized', 'rotated', 'wrong-offsets', 'encrypted-for-owner'])(
    'reads the same words from %s',
    async (name) => {
      expect(await runPdf(['text', fixture(name)])).toEqual({ code: 0, stdout: groffText, stderr: '' });
    },
  );

  test('reads object streams, and undoes ligatures', async () => {
    const streams = await runPdf(['text', fixture('object-streams')]);
    expect(streams.stdout).toBe((await runPdf(['text', sample])).stdout);
    const { stdout } = await runPdf(['text', fixture('unicode-links'), '--pages', '1']);
    expect(stdout).toContain('naïve café, fine\noffice, ½ ≠ ⅓, €5 — “quoted”.');
    expect(stdout).toContain('中文：敏捷的棕色狐狸跳过懒狗。日本語：吾輩は猫で');
    expect(stdout).toContain('Русский: Съешь ещё этих булок.');
  });

  test('knows the character maps that a document may leave out', async () => {
    expect((await runPdf(['text', fixture('predefined-cmap')])).stdout).toBe('--- page 1 of 1 ---\n你好世界\n');
  });

  test('keeps columns in their place with --layout, on a page that lies on its side too', async () => {
    const table = await runPdf(['text', sample, '--pages', '3', '--layout']);
    const rows = table.stdout.split('\n').filter((line) => /^ *(?:January|December) /u.test(line));
    expect(rows.map((row) => row.trim().split(/ {2,}/u))).toEqual([
      ['January', '118.2', '17', '1.4'],
      ['December', '206.1', '21', '2.1'],
    ]);
    expect(rows[0]?.indexOf('118.2')).toBe(rows[1]?.indexOf('206.1'));
    expect((await runPdf(['text', fixture('rotated'), '--layout', '--pages', '2'])).stdout).toContain('word zebra');
  });

  test('gives the pages that were asked for, in that order, as JSON', async () => {
    const { stdout } = await runPdf(['text', fixture('groff'), '-p', '2-,1', '--json']);
    const result = JSON.parse(stdout) as { pageCount: number; pages: { page: number; text: string }[] };
    expect(result.pageCount).toBe(2);
    expect(result.pages.map(({ page }) => page)).toEqual([2, 1]);
    expect(result.pages[0]?.text).toBe('-2-\nSecond page, with the word zebra.');
  });

  test('says on stderr which pages have no text', async () => {
    const { code, stdout, stderr } = await runPdf(['text', fixture('picture-only')]);
    expect([code, stdout]).toEqual([0, '--- page 1 of 1 ---\n\n']);
    expect(stderr).toBe('note: no text on page 1: an image or a scan needs OCR, which this script does not do\n');
  });
});

describe('info and pages', () => {
  test('info tells what the document says of itself', async () => {
    const { stdout } = await runPdf(['info', sample, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      bytes: 56556,
      pages: 4,
      version: '1.6',
      title: 'Rain on Tollan Ridge: a year of measurements',
      author: 'Inés Ångström and 王小明',
      keywords: 'rain, weather station, field report',
      producer: 'LibreOffice 7.4',
      created: '2026-11-21T23:02:21Z',
      encrypted: false,
      bookmarks: ['Summary', '摘要'],
      formFields: [],
      attachments: [],
    });
    expect((await runPdf(['info', sample])).stdout).toContain('\nbookmarks:\n  Summary\n  摘要\n');
  });

  test('info lists form fields with their values', async () => {
    const { stdout } = await runPdf(['info', fixture('form'), '--json']);
    const { formFields } = JSON.parse(stdout) as { formFields: unknown[] };
    expect(formFields).toContainEqual({ name: 'customer', type: 'text', value: 'Ada Lovelace', page: 1 });
    expect(formFields).toContainEqual({ name: 'note', type: 'text', value: 'Ring twice at the blue door', page: 2 });
  });

  test('info says that a document is encrypted', async () => {
    const { stdout } = await runPdf(['info', fixture('encrypted')], { PDF_PASSWORD: 'secret' });
    expect(stdout).toContain('encrypted: yes');
  });

  test('pages gives sizes as a person sees them', async () => {
    expect((await runPdf(['pages', fixture('rotated')])).stdout).toBe(
      '2 pages\npage 1: 595 × 842 pt (209.9 × 297 mm), rotation 0°\npage 2: 842 × 595 pt (297 × 209.9 mm), rotation 90°\n',
    );
    expect((await runPdf(['pages', fixture('cairo'), '--json'])).stdout).toContain('"width": 225');
  });
});

describe('errors', () => {
  test.each([
    ['a missing file', [fixture('missing')], 'FILE_NOT_FOUND'],
    ['a folder', [join(fixture('x'), '..')], 'FILE_UNREADABLE'],
    ['a file that is no PDF', [script], 'NOT_A_PDF'],
    ['an encrypted file', [fixture('encrypted')], 'ENCRYPTED'],
    ['a wrong password', [fixture('encrypted'), '--password', 'guess'], 'WRONG_PASSWORD'],
    ['a file that was cut off', [fixture('truncated')], 'DAMAGED'],
    ['a page that is not there', [fixture('groff'), '--pages', '2-3'], 'PAGE_OUT_OF_RANGE'],
  ])('name %s', async (_, args, code) => {
    for (const command of ['text', 'pages']) {
      const outcome = await runPdf([command, ...args]);
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toMatch(new RegExp(`^error ${code}: [^\n]+\nhint: [^\n]+\n$`, 'u'));
    }
  });

  test('say both numbers when a page is out of range', async () => {
    const { stderr } = await runPdf(['text', fixture('groff'), '--pages', '7']);
    expect(stderr).toContain('Page 7 was asked for, but');
    expect(stderr).toContain('groff.pdf has 2 pages.\nhint: Use 1-2.');
  });

  test.each([
    [[]],
    [['toast', 'a.pdf']],
    [['text']],
    [['text', 'a.pdf', 'b.pdf']],
    [['text', 'a.pdf', '--pages', '3-1']],
    [['text', 'a.pdf', '--pages', '0']],
    [['text', 'a.pdf', '--pages', '']],
    [['text', 'a.pdf', '--force']],
    [['text', 'a.pdf', '--nonsense']],
    [['text', 'a.pdf', '--timeout', '0']],
    [['merge', 'only-output.pdf']],
    [['split', 'a.pdf']],
    [['split', 'a.pdf', '--out', 'd', '--every', '2', '--pages', '1']],
    [['extract', 'a.pdf', 'b.pdf']],
    [['rotate', 'a.pdf', 'b.pdf', '--by', '45']],
  ])('of usage end with 2: %j', async (args) => {
    const outcome = await runPdf(args);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/^error USAGE: /u);
  });

  test('do not depend on names: spaces, dashes and other scripts are fine', async () => {
    const folder = await temporaryFolder();
    const odd = join(folder, '--pages 报告 (1)');
    await mkdir(odd);
    await copyFile(fixture('cairo'), join(odd, 'ünï .PDF'));
    expect((await runPdf(['text', join(odd, 'ünï .PDF')])).stdout).toContain('Drawn by cairo: Ωmega');
    await writeFile(join(folder, 'empty.pdf'), '');
    expect((await runPdf(['text', join(folder, 'empty.pdf')])).stderr).toContain('is not a PDF: it is empty');
  });

  test('help and version go to stdout', async () => {
    const help = await runPdf(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const command of ['text', 'info', 'pages', 'merge', 'split', 'extract', 'rotate']) {
      expect(help.stdout).toMatch(new RegExp(`^  ${command} `, 'mu'));
    }
    expect((await runPdf(['--version'])).stdout).toBe('1.0.0\n');
  });
});
