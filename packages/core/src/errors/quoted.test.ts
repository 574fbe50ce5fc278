import { expect, test } from 'vitest';
import { quoted } from './quoted.js';

test('quotes on one line, with every character visible', () => {
  expect(quoted('a\n✔ installed\u001B[2K')).toBe('“a ✔ installed<U+001B>[2K”');
});

test('cuts what is long, and never inside a character', () => {
  expect(quoted('abcdef', 3)).toBe('“abc…”');
  expect(quoted('ab😀d', 3)).toBe('“ab…”');
  expect(quoted('abc', 3)).toBe('“abc”');
});
