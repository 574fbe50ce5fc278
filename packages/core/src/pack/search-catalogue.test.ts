import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePackName } from './pack-name.js';
import type { PackSummary } from './pack-registry.js';
import { searchCatalogue } from './search-catalogue.js';

function pack(name: string, rest: Partial<PackSummary> = {}): PackSummary {
  return {
    name: parsePackName(name),
    version: '1.0.0',
    description: '',
    keywords: [],
    skills: [],
    deprecated: null,
    ...rest,
  };
}

const found = (catalogue: readonly PackSummary[], words: string, limit?: number) =>
  searchCatalogue(catalogue, words, limit).map(({ name }) => name);

test('name before keyword before skill before description; exact before prefix before a word inside', () => {
  const catalogue = [
    pack('z/description', { description: 'Reads PDF files.' }),
    pack('y/skill', { skills: ['pdf'] }),
    pack('x/keyword', { keywords: ['pdf'] }),
    pack('w/my-pdf'),
    pack('v/pdf-tools'),
    pack('u/pdf'),
    pack('t/other', { description: 'Reads tables.' }),
  ];
  expect(found(catalogue, 'PDF')).toEqual([
    'u/pdf',
    'v/pdf-tools',
    'w/my-pdf',
    'x/keyword',
    'y/skill',
    'z/description',
  ]);
  expect(found(catalogue, 'u/pdf')[0]).toBe('u/pdf');
  expect(found(catalogue, 'pdf', 2)).toEqual(['u/pdf', 'v/pdf-tools']);
});

test('who fits every word comes before who fits one, wherever it stands', () => {
  const catalogue = [
    pack('a/merge-all', { keywords: ['merge'] }),
    pack('b/office', { description: 'Can merge and split PDF files.' }),
  ];
  expect(found(catalogue, 'merge pdf')).toEqual(['b/office', 'a/merge-all']);
});

test('the beginning of a word is enough', () => {
  const catalogue = [pack('a/one', { description: 'Summarises documents.' }), pack('b/two', { description: 'Doc.' })];
  expect(found(catalogue, 'doc')).toEqual(['b/two', 'a/one']);
  expect(found([pack('acme/release-notes')], 'rel')).toEqual(['acme/release-notes']);
  expect(found([pack('acme/release-notes')], 'acme/rel')).toEqual(['acme/release-notes']);
});

test('among equals, deprecated ones come last, then names decide', () => {
  const catalogue = [
    pack('a/x', { keywords: ['pdf'], deprecated: 'Use c/x.' }),
    pack('c/x', { keywords: ['pdf'] }),
    pack('b/x', { keywords: ['pdf'] }),
  ];
  expect(found(catalogue, 'pdf')).toEqual(['b/x', 'c/x', 'a/x']);
});

test.each([
  ['数据', '数据分析与可视化工具'],
  ['分析', '数据分析与可视化工具'],
  ['データ', 'CSVデータの分析をします'],
  ['분석', '데이터 분석 도구'],
  ['café', 'Finds a CAFE\u0301 nearby'],
  ['ｐｄｆ', 'Reads PDF files'],
  ['straße', 'Alle Straßen'],
  ['Привет', 'Говорит привет'],
  ["l'été", 'Pendant l’été'],
])('%s is found in “%s”', (words, description) => {
  expect(found([pack('a/b', { description }), pack('c/d')], words)).toEqual(['a/b']);
});

test.each(['', '   ', '!?', '/', '\u0000', '🎉', 'zzz'])('%j finds nothing', (words) => {
  expect(found([pack('a/b', { description: 'Reads PDF files.' })], words)).toEqual([]);
});

test('whatever is asked, hits are of the catalogue, each once, at most as many as wanted, in a stable order', () => {
  const catalogue = [pack('a/pdf', { description: 'Reads PDF. 数据' }), pack('b/table'), pack('c/pdf-table')];
  const word = fc.constantFrom('pdf', 'table', '数据', 'a', 'reads', '\u202E', '.*', '(', 'constructor');
  const words = fc.oneof(
    fc.array(word).map((list) => list.join(' ')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(words, fc.integer({ min: -1, max: 4 }), (text, limit) => {
      const hits = searchCatalogue(catalogue, text, limit);
      expect(hits.length).toBeLessThanOrEqual(Math.max(limit, 0));
      expect(new Set(hits).size).toBe(hits.length);
      for (const hit of hits) expect(catalogue).toContain(hit);
      expect(searchCatalogue(catalogue.toReversed(), text, limit)).toEqual(hits);
    }),
  );
});

test('5,000 packs are searched at once, whatever is asked', () => {
  const catalogue = Array.from({ length: 5_000 }, (_, index) =>
    pack(`org-${index % 50}/pack-${index}`, { description: `${'Reads, merges and 分析 PDF – '.repeat(8)}${index}` }),
  );
  for (const words of ['merge pdf', 'a '.repeat(100_000), 'x'.repeat(1_000_000), '数'.repeat(1_000_000)]) {
    const started = performance.now();
    searchCatalogue(catalogue, words);
    expect(performance.now() - started).toBeLessThan(3_000);
  }
});
