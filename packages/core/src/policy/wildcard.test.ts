import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globbedText, matchesWildcards, starredText } from './wildcard.js';

function matches(pattern: string, text: string): boolean | undefined {
  const signs = globbedText(pattern);
  return signs === undefined ? undefined : matchesWildcards(signs, text);
}

test.each([
  ['', '', true],
  ['', 'a', false],
  ['*', '', true],
  ['a*c', 'abbc', true],
  ['a*c', 'abbcd', false],
  ['*.ts', 'a.ts', true],
  ['*.ts', '.ts', true],
  ['?', 'é', true],
  ['?', '𝒳', true],
  ['?', '', false],
  ['?', 'ab', false],
  ['[abc]', 'b', true],
  ['[abc]', 'd', false],
  ['[a-c]', 'b', true],
  ['[!a-c]', 'b', false],
  ['[^a-c]', 'd', true],
  ['[]]', ']', true],
  ['[!]]', ']', false],
  ['[a-]', '-', true],
  ['[-a]', '-', true],
  ['[*]', '*', true],
  ['[*]', 'a', false],
  ['[z-a]', 'm', false],
  ['[', '[', undefined],
  ['a[', 'a[', undefined],
  ['[]', '[]', undefined],
  ['.', 'a', false],
  ['a+', 'aa', false],
])('%j holds of %j: %j', (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected);
});

test('in a text with stars, all but them stands for itself', () => {
  expect(matchesWildcards(starredText('[a]?*'), '[a]?b')).toBe(true);
  expect(matchesWildcards(starredText('[a]?*'), 'ab')).toBe(false);
});

test('stars find what a regular expression finds', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 12 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 8 });
  fc.assert(
    fc.property(pattern, letters, (glob, text) => {
      const expression = glob.replaceAll('.', '\\.').replaceAll('?', '.').replaceAll('*', '.*');
      expect(matches(glob, text)).toBe(new RegExp(`^${expression}$`, 'su').test(text));
    }),
    { numRuns: 1_000 },
  );
});

test('a pattern of many stars takes no longer than its length times that of the text', () => {
  expect(matches(`${'*a'.repeat(300)}b`, 'a'.repeat(10_000))).toBe(false);
});
