import { expect, test } from 'vitest';
import { quoted } from './quoted.js';

test('quotes on one line, with every character visible', () => {
  expect(quoted('a\n✔ installed\u001B[2K')).toBe('“a ✔ installed<U+001B>[2K”');
});

test.each([
  ['pdf\u200C', 'pdf<U+200C>'],
  ['p\u200Ddf', 'p<U+200D>df'],
  ['pdf\uFE0F', 'pdf<U+FE0F>'],
  ['\u200Cpdf', '<U+200C>pdf'],
  ['م\u200C\u200Cم', 'م\u200C<U+200C>م'],
  ['م\u200C', 'م<U+200C>'],
])('shows a joiner or a variation selector that joins and selects nothing: %j', (text, shown) => {
  expect(quoted(text)).toBe(`“${shown}”`);
});

test.each(['می\u200Cخواهم', '❤\uFE0F\u200D🔥', '👩\u200D💻', '✔\uFE0F done'])('leaves %s as it is', (text) => {
  expect(quoted(text)).toBe(`“${text}”`);
});

test('cuts what is long, and never inside a character', () => {
  expect(quoted('abcdef', 3)).toBe('“abc…”');
  expect(quoted('ab😀d', 3)).toBe('“ab…”');
  expect(quoted('abc', 3)).toBe('“abc”');
});
