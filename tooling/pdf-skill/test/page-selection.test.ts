import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePageSelection, selectPages } from '../src/script/page-selection.js';

const document = { name: 'a.pdf', count: 9 };

test.each([
  ['3', [[3]]],
  ['1-3,5,8-', [[1, 2, 3], [5], [8, 9]]],
  ['-2', [[1, 2]]],
  ['9,1', [[9], [1]]],
  [' 2 , 4-4', [[2], [4]]],
])('“%s” selects %j of nine pages', (text, expected) => {
  expect(selectPages(parsePageSelection(text), document)).toEqual(expected);
});

test.each(['', '-', 'a', '1-2-3', '0', '3-1', '1,,2', '1.5', '99999999999', '１'])('“%s” is refused', (text) => {
  expect(() => parsePageSelection(text)).toThrow(/is no page or range of pages/u);
});

test('no selection is every page, and a huge one is refused before it is made', () => {
  expect(selectPages(undefined, document)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9]]);
  expect(() => selectPages(undefined, { name: 'a.pdf', count: 999_999_999 })).toThrow(/at most 10000/u);
});

test('what is selected lies within the document, or is refused', () => {
  // Few strings of any characters are selections, so half of them are made of pages and ranges.
  const anyText = fc.stringMatching(/^[\d,-]{0,12}$/u);
  const likely = fc.stringMatching(/^(?:\d{1,2}|\d-\d{2}|\d-)(?:,(?:\d{1,2}|-\d)){0,2}$/u);
  let selected = 0;
  let refused = 0;
  fc.assert(
    fc.property(fc.oneof(anyText, likely), fc.integer({ min: 1, max: 50 }), (text, count) => {
      let pages: readonly number[];
      try {
        pages = selectPages(parsePageSelection(text), { name: 'a.pdf', count }).flat();
      } catch (error) {
        expect(error).toHaveProperty('code');
        refused += 1;
        return;
      }
      expect(pages.length).toBeGreaterThan(0);
      expect(pages.every((page) => page >= 1 && page <= count)).toBe(true);
      selected += 1;
    }),
    { numRuns: 500 },
  );
  expect(Math.min(selected, refused)).toBeGreaterThan(50);
});
