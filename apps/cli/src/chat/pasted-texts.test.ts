import { expect, test } from 'vitest';
import { createPastedTexts } from './pasted-texts.js';

test('a text of one line is put on the line as it is', () => {
  expect(createPastedTexts().mark('one\tword\n')).toBe('one word');
});

test('for a text of several lines a mark is put there, which becomes the text again', () => {
  const pasted = createPastedTexts();
  const first = pasted.mark('a\nb\n');
  const second = pasted.mark('$& $1\n\tc\nd');
  expect([first, second]).toEqual(['[pasted 1: 2 lines]', '[pasted 2: 3 lines]']);
  expect(pasted.expand(`see ${second} and ${first} and ${first}`)).toBe('see $& $1\n\tc\nd and a\nb and a\nb');
});

test('of very many empty lines those at the end are left out', () => {
  const pasted = createPastedTexts();
  const breaks = '\n'.repeat(3_000_000);
  expect(pasted.expand(pasted.mark(`a${breaks}b${breaks}`))).toBe(`a${breaks}b`);
});

test('a mark that somebody typed is only text', () => {
  expect(createPastedTexts().expand('[pasted 1: 2 lines]')).toBe('[pasted 1: 2 lines]');
});

test('the oldest of very many is forgotten', () => {
  const pasted = createPastedTexts();
  const marks = Array.from({ length: 51 }, (_, at) => pasted.mark(`${at}\n${at}`));
  expect(pasted.expand(marks[0] ?? '')).toBe(marks[0]);
  expect(pasted.expand(marks[50] ?? '')).toBe('50\n50');
});
