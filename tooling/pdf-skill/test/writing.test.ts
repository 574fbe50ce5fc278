import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFDict, PDFDocument, PDFHexString, PDFName, PDFRawStream, PDFString } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import { fixture, runPdf, runPdfAsNobody, sample, temporaryFolder } from './run-pdf.js';

async function textOf(path: string): Promise<string[]> {
  const { stdout } = await runPdf(['text', path, '--json']);
  return (JSON.parse(stdout) as { pages: { text: string }[] }).pages.map(({ text }) => text);
}

/** Every string and stream of a file, whether or not a page leads to it. */
async function everythingIn(path: string): Promise<string> {
  const document = await PDFDocument.load(await readFile(path), { updateMetadata: false });
  const found: string[] = [];
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    const dict = object instanceof PDFRawStream ? object.dict : object;
    if (dict instanceof PDFDict) {
      for (const value of dict.values()) {
        if (value instanceof PDFHexString || value instanceof PDFString) found.push(value.decodeText());
      }
    }
  }
  return found.join('\n');
}

async function pageObjects(path: string): Promise<number> {
  const document = await PDFDocument.load(await readFile(path), { updateMetadata: false });
  return document.context
    .enumerateIndirectObjects()
    .filter(([, object]) => object instanceof PDFDict && object.get(PDFName.of('Type')) === PDFName.of('Page')).length;
}

describe('merge', () => {
  test('puts the pages of all files behind each other', async () => {
    const out = join(await temporaryFolder(), 'out.pdf');
    const inputs = ['unicode-links', 'rotated', 'object-streams', 'wrong-offsets', 'cairo'].map(fixture);
    const { code, stdout } = await runPdf(['merge', out, sample, ...inputs]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/out\.pdf: 16 pages, \d+ bytes\n$/u);
    const expected = await Promise.all([sample, ...inputs].map(textOf));
    expect(await textOf(out)).toEqual(expected.flat());
    const { stdout: sizes } = await runPdf(['pages', out, '--pages', '9']);
    expect(sizes).toContain('page 9: 842 × 595 pt (297 × 209.9 mm), rotation 90°');
  });

  test('writes the same bytes each time', async () => {
    const folder = await temporaryFolder();
    const outputs = [join(folder, '1.pdf'), join(folder, '2.pdf')];
    for (const out of outputs) await runPdf(['merge', out, sample, fixture('form')]);
    const [first, second] = await Promise.all(outputs.map((out) => readFile(out)));
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true);
  });

  test('says what a merged file cannot carry', async () => {
    const out = join(await temporaryFolder(), 'out.pdf');
    const { stderr, stdout } = await runPdf(['merge', out, sample, fixture('form'), '--json']);
    expect(stderr).toBe(
      `note: not carried over from ${sample}: bookmarks\n` +
        `note: not carried over from ${fixture('form')}: form fields (they stay visible, but cannot be filled in)\n`,
    );
    expect(JSON.parse(stdout)).toMatchObject({ files: [{ path: out, pages: 6 }], notes: [{}, {}] });
  });

  test('writes nothing when one input is bad', async () => {
    const folder = await temporaryFolder();
    for (const bad of ['truncated', 'encrypted', 'missing']) {
      const { code } = await runPdf(['merge', join(folder, 'out.pdf'), sample, fixture(bad)]);
      expect(code).toBe(1);
    }
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('split', () => {
  test('makes a file of every page, described like the whole', async () => {
    const out = join(await temporaryFolder(), 'made/for/it');
    expect((await runPdf(['split', sample, '--out', out])).code).toBe(0);
    const names = ['sample-1.pdf', 'sample-2.pdf', 'sample-3.pdf', 'sample-4.pdf'];
    expect((await readdir(out)).toSorted()).toEqual(names);
    const pages = await Promise.all(names.map((name) => textOf(join(out, name))));
    expect(pages.flat()).toEqual(await textOf(sample));
    const { stdout } = await runPdf(['info', join(out, 'sample-3.pdf'), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      pages: 1,
      title: 'Rain on Tollan Ridge: a year of measurements',
      keywords: 'rain, weather station, field report',
    });
  });

  test('makes a file of every range, or of every N pages', async () => {
    const out = await temporaryFolder();
    await runPdf(['split', sample, '--out', out, '--pages', '1-2,4,4']);
    await runPdf(['split', fixture('unicode-links'), '--out', out, '--every', '2']);
    expect((await readdir(out)).toSorted()).toEqual([
      'sample-1-2.pdf',
      'sample-4 (2).pdf',
      'sample-4.pdf',
      'unicode-links-1-2.pdf',
      'unicode-links-3.pdf',
    ]);
  });

  test('writes no file at all when one name is taken', async () => {
    const out = await temporaryFolder();
    await writeFile(join(out, 'sample-3.pdf'), 'mine');
    const outcome = await runPdf(['split', sample, '--out', out]);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain('error OUTPUT_EXISTS: ');
    expect(await readdir(out)).toEqual(['sample-3.pdf']);
    expect((await runPdf(['split', sample, '--out', out, '--force'])).code).toBe(0);
    expect(await readdir(out)).toHaveLength(4);
  });
});

describe('extract', () => {
  test('takes pages in the order given, one of them twice', async () => {
    const out = join(await temporaryFolder(), 'out.pdf');
    await runPdf(['extract', sample, out, '--pages', '4,2,4']);
    const [, second, , fourth] = await textOf(sample);
    expect(await textOf(out)).toEqual([fourth, second, fourth]);
  });

  test('leaves nothing of other pages in the file', async () => {
    const folder = await temporaryFolder();
    const form = join(folder, 'form.pdf');
    await runPdf(['extract', fixture('form'), form, '--pages', '1']);
    expect(await everythingIn(fixture('form'))).toContain('Ring twice at the blue door');
    const left = await everythingIn(form);
    expect(left).toContain('Ada Lovelace');
    expect(left).not.toContain('Ring twice');
    const linked = join(folder, 'linked.pdf');
    await runPdf(['extract', fixture('unicode-links'), linked, '--pages', '1-2']);
    expect(await pageObjects(linked)).toBe(2);
  });

  test('needs the password of an encrypted file, and says that the result has none', async () => {
    const out = join(await temporaryFolder(), 'out.pdf');
    const args = ['extract', fixture('encrypted-for-owner'), out, '--pages', '2'];
    expect((await runPdf(args)).stderr).toContain('error ENCRYPTED: ');
    const { code, stderr } = await runPdf([...args, '--password', '']);
    expect([code, stderr]).toEqual([
      0,
      `note: ${fixture('encrypted-for-owner')} is encrypted, what was written from it is not\n`,
    ]);
    expect(await textOf(out)).toEqual(['-2-\nSecond page, with the word zebra.']);
    const wrong = await runPdf(['extract', fixture('encrypted'), `${out}2`, '--pages', '1', '--password', 'guess']);
    expect(wrong.stderr).toContain('error WRONG_PASSWORD: ');
  });
});

describe('rotate', () => {
  test('turns the chosen pages on from where they are and keeps the rest of the document', async () => {
    const out = join(await temporaryFolder(), 'out.pdf');
    await runPdf(['rotate', fixture('rotated'), out, '--by', '270', '--pages', '2']);
    expect((await runPdf(['pages', out])).stdout).toContain('page 2: 595 × 842 pt (209.9 × 297 mm), rotation 0°');
    await runPdf(['rotate', fixture('form'), out, '--by', '90', '--force']);
    const { stdout } = await runPdf(['info', out, '--json']);
    expect((JSON.parse(stdout) as { formFields: unknown[] }).formFields).toHaveLength(3);
  });
});

describe('files', () => {
  test.skipIf(process.platform === 'win32')('are never replaced without --force, nor through a link', async () => {
    const folder = await temporaryFolder();
    const mine = join(folder, 'mine.pdf');
    await writeFile(mine, 'mine');
    await symlink(mine, join(folder, 'link.pdf'));
    for (const out of [mine, join(folder, 'link.pdf')]) {
      expect((await runPdf(['merge', out, sample])).stderr).toContain(`error OUTPUT_EXISTS: ${out} exists already`);
    }
    expect(await readFile(mine, 'utf8')).toBe('mine');
    await runPdf(['merge', join(folder, 'link.pdf'), sample, '--force']);
    expect(await readFile(mine, 'utf8')).toBe('mine');
    expect((await runPdf(['merge', mine, sample, '--force'])).code).toBe(0);
    expect((await readdir(folder)).toSorted()).toEqual(['link.pdf', 'mine.pdf']);
  });

  test('an input may be replaced by the result with --force', async () => {
    const file = join(await temporaryFolder(), 'a.pdf');
    await writeFile(file, await readFile(fixture('groff')));
    expect((await runPdf(['merge', file, file, file, '--force'])).code).toBe(0);
    expect(await textOf(file)).toHaveLength(4);
  });

  test.skipIf(process.platform === 'win32')('that cannot be written are an error, and leave nothing', async () => {
    const parent = await temporaryFolder();
    const folder = join(parent, 'closed');
    await mkdir(folder);
    await chmod(parent, 0o755);
    await chmod(folder, 0o555);
    const { stderr } = await runPdfAsNobody(['merge', join(folder, 'a.pdf'), sample]);
    expect(stderr).toContain('error OUTPUT_FAILED: ');
    expect(await readdir(folder)).toEqual([]);
  });

  test('cannot be written below a file', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'file'), '');
    const { code, stderr } = await runPdf(['split', sample, '--out', join(folder, 'file')]);
    expect(code).toBe(1);
    expect(stderr).toContain('error OUTPUT_FAILED: ');
    expect(await readdir(folder)).toEqual(['file']);
  });
});
