import { expect, test } from 'vitest';
import { cutText, headAndTail } from './cut-text.js';

test('a text that is cut has its length, no half character, and says that something is missing', () => {
  expect(cutText('12345', 5)).toBe('12345');
  expect(cutText('123456', 5)).toBe('1234…');
  expect(cutText('123\u{1F600}6', 5)).toBe('123…');
});

test('of a long text the beginning and the end are left, and how much lies between', () => {
  const lengths = { head: 3, tail: 2 };
  const fits = `abc${'-'.repeat(60)}yz`;
  expect(headAndTail(fits, lengths)).toBe(fits);
  expect(headAndTail(`abc${'-'.repeat(61)}yz`, lengths)).toBe('abc\n[… 61 characters left out …]\nyz');
  expect(headAndTail(`ab\u{1F600}${'-'.repeat(70)}\u{1F600}z`, lengths)).toBe('ab\n[… 74 characters left out …]\nz');
});
