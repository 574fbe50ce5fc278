import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caught } from '../../test/caught.js';
import { sha256 } from '../../test/sha256.js';
import { visibleLines } from '../errors/visible-text.js';
import { makeExcerpt } from './make-excerpt.js';
import type { SkillExcerpt, SkillSelection } from './skill-excerpt.js';

interface Reading {
  readonly path?: string;
  readonly selection?: SkillSelection;
  readonly excerptLength?: number;
}

function read(content: string | Uint8Array, reading: Reading = {}): SkillExcerpt {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const { path = 'a.md', selection = { kind: 'all' }, excerptLength = 12_000 } = reading;
  return makeExcerpt({ path, bytes }, { sha256 }, { selection, limits: { excerptLength } });
}

function readOn(content: string, reading: Reading): readonly SkillExcerpt[] {
  const pages: SkillExcerpt[] = [];
  for (let next: SkillSelection | undefined = reading.selection ?? { kind: 'all' }; next !== undefined;) {
    const page = read(content, { ...reading, selection: next });
    pages.push(page);
    next = page.next;
  }
  return pages;
}

const piece = fc.constantFrom(
  'a',
  'word ',
  '\n',
  '\r\n',
  '\r',
  '\u00EF',
  '\u65E5\u672C',
  '\u{1F600}',
  '\u202E',
  '\t',
  '# h\n',
  '\uFEFF',
);
const texts = fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join(''));
const lengths = fc.integer({ min: 1, max: 40 });

function whole(text: string): string {
  return visibleLines(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

test('PSA-21: reading on gives the whole file, nothing twice and nothing left out', () => {
  fc.assert(
    fc.property(texts, lengths, (text, excerptLength) => {
      const pages = readOn(text, { excerptLength });
      expect(pages.map((page) => page.text).join('')).toBe(whole(text));
      for (const page of pages) {
        // One character that nobody can see is shown as up to ten.
        expect(page.text.length).toBeLessThanOrEqual(Math.max(excerptLength, 10));
        expect(page.truncated).toBe(page.next !== undefined);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('PSA-21: any two ranges of bytes that meet make up the range of both', () => {
  const cuts = fc.tuple(fc.nat(120), fc.nat(120), fc.nat(120)).map((three) => three.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(texts, cuts, (text, [start = 0, middle = 0, end = 0]) => {
      const part = (from: number, to: number): string =>
        read(text, { selection: { kind: 'bytes', start: from, end: to } }).text;
      expect(part(start, middle) + part(middle, end)).toBe(part(start, end));
      expect(part(0, 1_000)).toBe(whole(text));
    }),
    { numRuns: 2_000 },
  );
});

test('PSA-21: lines are counted, and a selection that is cut goes on within itself', () => {
  fc.assert(
    fc.property(texts, lengths, fc.integer({ min: 1, max: 9 }), (text, excerptLength, start) => {
      const selection = { kind: 'lines', start, end: start + 3 } as const;
      const expected = read(text, { selection }).text;
      expect(
        readOn(text, { excerptLength, selection })
          .map((page) => page.text)
          .join(''),
      ).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
});

test('PSA-21: an excerpt has at most 12,000 characters, ends with a line, and says how much there is', () => {
  const line = `${'x'.repeat(98)}\n`;
  const excerpt = read(line.repeat(300));
  expect(excerpt).toMatchObject({
    size: 29_700,
    digest: sha256(line.repeat(300)),
    lines: { start: 1, end: 121, total: 300 },
    truncated: true,
    next: { kind: 'lines', start: 122 },
  });
  expect(excerpt.text).toBe(line.repeat(121));
});

test('PSA-21: a range of bytes that is cut ends with a line too, where there is one', () => {
  const excerpt = read('one\ntwo\nthree\n', { selection: { kind: 'bytes', start: 1 }, excerptLength: 9 });
  expect(excerpt).toMatchObject({ text: 'ne\ntwo\n', lines: undefined, next: { kind: 'bytes', start: 8, end: 14 } });
});

test('PSA-21: a section ends before the next heading of its level or a higher one', () => {
  const text = '# A\n## B\nb\n### C\nc\n## D\nd\n# E\ne\n';
  const section = (heading: string): string => read(text, { selection: { kind: 'section', heading } }).text;
  expect(section('B')).toBe('## B\nb\n### C\nc\n');
  expect(section('C')).toBe('### C\nc\n');
  expect(section('A')).toBe('# A\n## B\nb\n### C\nc\n## D\nd\n');
  expect(section('E')).toBe('# E\ne\n');
});

test('a long section is read on to its end, and no further', () => {
  const text = `# A\n${'long line\n'.repeat(50)}# B\nb\n`;
  const pages = readOn(text, { excerptLength: 100, selection: { kind: 'section', heading: 'A' } });
  expect(pages.map((page) => page.text).join('')).toBe(`# A\n${'long line\n'.repeat(50)}`);
});

test('a heading that is written exactly so is meant before one that is only like it, and the first of two', () => {
  const text = '# forms\n1\n## Forms\n2\n## Forms\n3\n# C++\n4\n# C#\n5\n## a > b\n6\n';
  const line = (heading: string): number | undefined =>
    read(text, { selection: { kind: 'section', heading } }).lines?.start;
  expect(line('Forms')).toBe(3);
  expect(line('forms')).toBe(1);
  expect(line('FORMS')).toBe(1);
  expect(line('## FORMS')).toBe(3);
  expect(line('C#')).toBe(9);
  expect(line('c++')).toBe(7);
  expect(line('a > b')).toBe(11);
  expect(line('forms > Forms')).toBe(3);
});

test('a heading of another level is meant where there is none of the level that is written', () => {
  expect(read('# Forms\n', { selection: { kind: 'section', heading: '### Forms' } }).lines?.start).toBe(1);
});

test('a heading is found by all of its text, by what is shown of it, and by what it is', () => {
  const long = `${'very '.repeat(60)}long`;
  const text = `# a\n# ${long}\n# turned \u202Earound\n`;
  const line = (heading: string): number | undefined =>
    read(text, { selection: { kind: 'section', heading } }).lines?.start;
  expect([line(long), line(`# ${long}`), line(`  ${long.toUpperCase()}`)]).toEqual([2, 2, 2]);
  expect([line('turned \u202Earound'), line('turned <U+202E>around')]).toEqual([3, 3]);
});

test('headings that are told of are visible, and not too many', () => {
  const text = Array.from({ length: 5_000 }, (_, at) => `${at % 50 === 0 ? '#' : '##'} \u202E${at}\n`).join('');
  const error = caught(() => read(text, { selection: { kind: 'section', heading: 'nothing' } }));
  expect(error.code).toBe('SECTION_NOT_FOUND');
  expect(error.hint).toMatch(/^It has these: # <U\+202E>0; .*, and 4980 more\.$/u);
  const { outline } = read(text);
  expect(outline).toHaveLength(100);
  expect(outline.every(({ level }) => level === 1)).toBe(true);
});

test.each([
  ['with a NUL', new Uint8Array([0x61, 0x00, 0x62]), 'binary data of 3 bytes'],
  ['cut within a character', new Uint8Array([0x61, 0xc3]), 'binary data of 2 bytes'],
  ['that is a zip', new Uint8Array([0x50, 0x4b, 3, 4, 0xff]), 'a zip archive of 5 bytes'],
  ['in UTF-16', new Uint8Array([0xff, 0xfe, 0x61, 0x00]), 'text in UTF-16 of 4 bytes'],
])('a file %s is described and never shown', (_, bytes, what) => {
  const excerpt = read(bytes, { path: 'x\u202Egnp.bin' });
  expect(excerpt).toMatchObject({ content: 'binary', truncated: false, lines: undefined });
  expect(excerpt.text).toBe(`\u201Cx<U+202E>gnp.bin\u201D is ${what}; its content is not shown.`);
});

test('an Office file is known by its name, since its bytes are those of an archive', () => {
  expect(read(new Uint8Array([0x50, 0x4b, 3, 4, 0xff]), { path: 'a.XLSX' }).text).toContain('an Excel workbook');
  expect(read(new Uint8Array([0x50, 0x4b, 3, 4, 0xff]), { path: 'a.constructor' }).text).toContain('a zip archive');
});

test('an empty file is text without a line', () => {
  expect(read('')).toMatchObject({
    content: 'text',
    text: '',
    size: 0,
    lines: { start: 1, end: 0, total: 0 },
    next: undefined,
  });
});
