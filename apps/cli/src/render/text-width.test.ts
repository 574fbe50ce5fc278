import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitText, textWidth } from './text-width.js';

test.each([
  ['', 0],
  ['abc', 3],
  ['漢字', 4],
  ['かな カナ', 9],
  ['한국어', 6],
  ['ｆｕｌｌ', 8],
  ['é', 1],
  ['e\u0301', 1],
  ['👍', 2],
  ['👨‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['–…“”', 4],
])('%j takes %d columns', (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test('what is cut fits, and is the beginning of the text', () => {
  expect(fitText('漢字漢字', 5)).toBe('漢字…');
  expect(fitText('abc', 0)).toBe('');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, columns) => {
      const fitted = fitText(text, columns);
      expect(textWidth(fitted)).toBeLessThanOrEqual(columns);
      expect(fitted === text || fitted === '' || text.startsWith(fitted.slice(0, -1))).toBe(true);
    }),
  );
});
