import { expect, test } from 'vitest';
import { createStyle } from '../frame/style.js';
import { columns } from './columns.js';
import { shortened } from './shortened.js';

test('columns are as wide as what is seen of them: wide characters count twice, and colours not at all', () => {
  const { green } = createStyle(true);
  const rows = [
    [green('pdf'), 'one'],
    ['😀é', 'two', 'three'],
    ['漢字かな', '한', 'five'],
    ['longest', '', 'four'],
    ['x'],
  ];
  expect(columns(rows, '  ')).toBe(
    [
      `  ${green('pdf')}       one`,
      '  😀é       two  three',
      '  漢字かな  한   five',
      '  longest        four',
      '  x',
    ].join('\n'),
  );
  expect(columns([])).toBe('');
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['a  d', 3, 'a…'],
  ['é — ü, too', 6, 'é — ü…'],
  ['😀😀😀', 3, '😀😀😀'],
  ['😀😀😀😀', 3, '😀😀…'],
  ['ab😀😀😀😀😀😀', 3, 'ab…'],
  ['aaaa😀😀😀', 7, 'aaaa😀😀😀'],
])('of %j at most %d code points are shown: %j', (text, length, expected) => {
  expect(shortened(text, length)).toBe(expected);
});

test('of a long text only its beginning is looked at', () => {
  expect(shortened('😀'.repeat(1_000_000), 2)).toBe('😀…');
});
