import { expect, test } from 'vitest';
import { visibleData } from './visible-data.js';

test('data that can be shown is not copied', () => {
  const data = { name: 'pdf', at: new Date(0), list: [1, null, { deep: 'text' }] };
  expect(visibleData(data)).toBe(data);
});

test('what cannot be seen is shown, wherever it stands, and nothing else is copied', () => {
  const fine = { at: new Date(0), words: ['a', 'b'] };
  const data = { fine, list: ['a\u202Eb', fine], 'odd\u001B': 1, line: 'a\nb' };
  const shown = visibleData(data);
  expect(shown).toEqual({ fine, list: ['a<U+202E>b', fine], 'odd<U+001B>': 1, line: 'a b' });
  expect(shown.fine).toBe(fine);
  expect(shown.list[1]).toBe(fine);
});

test('lines are kept below the keys that have them', () => {
  const data = { text: 'a\n\u202Eb', inner: { text: ['c\nd', { e: 'f\ng' }] }, other: 'h\ni' };
  expect(visibleData(data, ['text'])).toEqual({
    text: 'a\n<U+202E>b',
    inner: { text: ['c\nd', { e: 'f\ng' }] },
    other: 'h i',
  });
});

test('a key that cannot be seen is shown, where nothing else has to be', () => {
  expect(visibleData({ fine: 1, inner: { 'odd\u001B': 2 } })).toEqual({ fine: 1, inner: { 'odd<U+001B>': 2 } });
});
