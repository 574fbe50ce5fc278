import { expect, test } from 'vitest';
import { caught } from '../../test/caught.js';
import {
  formatSearchCatalogue,
  parseSearchCatalogue,
  parseSearchPointer,
  searchCatalogueLimit,
  searchCatalogueLocation,
} from './catalogue-document.js';
import { parsePackName } from './pack-name.js';
import type { PackSummary } from './pack-registry.js';

const summary = (name: string): PackSummary => ({
  name: parsePackName(name),
  version: '1.0.0',
  description: `What ${name} does.`,
  keywords: [],
  skills: [],
  deprecated: null,
});

test('the largest catalogue is written sorted and read as it was', () => {
  const packs = Array.from({ length: searchCatalogueLimit }, (_, index) => summary(`org/pack-${index}`));
  const text = formatSearchCatalogue(packs);
  const sorted = packs.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  expect(parseSearchCatalogue(text, 'it')).toEqual(sorted);
  expect(formatSearchCatalogue(packs.toReversed())).toBe(text);
});

test('a catalogue that was cut off is not taken for a smaller one', () => {
  const text = formatSearchCatalogue([summary('org/a'), summary('org/b')]);
  const cut = text.split('\n').slice(0, 2).join('\n');
  expect(caught(() => parseSearchCatalogue(cut, 'it')).message).toBe('it promises 2 packs and lists 1.');
});

test.each([
  ['nothing', '', 'is empty'],
  ['a page', '<html>', 'line 1, is not JSON'],
  [
    'a pack twice',
    `{"formatVersion":1,"packs":2}\n${formatSearchCatalogue([summary('org/a')]).split('\n')[1]}\n`.replace(
      /(\{"name.*\n)/u,
      '$1$1',
    ),
    'lists org/a twice',
  ],
  ['a bad line', '{"formatVersion":1,"packs":1}\n{"name":"pdf"}', 'line 2, is not valid at name'],
])('%s is refused', (_, text, message) => {
  const error = caught(() => parseSearchCatalogue(text, 'it'));
  expect(error.code).toBe('INVALID_INDEX');
  expect(error.message).toContain(message);
});

test('the pointer names a generation that can stand in a path', () => {
  const pointer = (generation: string) =>
    JSON.stringify({
      formatVersion: 1,
      generation,
      catalogue: searchCatalogueLocation(generation),
      packs: 1,
      future: 1,
    });
  expect(parseSearchPointer(pointer('0-1a'), 'it')).toEqual({
    generation: '0-1a',
    catalogue: 'search/0-1a/catalogue.ndjson',
    packs: 1,
  });
  for (const generation of ['', '..', 'a/b', 'A', 'a'.repeat(65)]) {
    expect(caught(() => parseSearchPointer(pointer(generation), 'it')).code).toBe('INVALID_INDEX');
  }
  expect(caught(() => parseSearchPointer('{"formatVersion":2}', 'it')).code).toBe('UNSUPPORTED_FORMAT');
});
