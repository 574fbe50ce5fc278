import { expect, test } from 'vitest';
import { compilePattern } from './compile-pattern.js';

test.for([
  ['a', '', 'A', false],
  ['a', 'i', 'A', true],
  ['^b', '', 'a\nb', false],
  ['^b', 'm', 'a\nb', true],
  ['a.b', '', 'a\nb', false],
  ['a.b', 's', 'a\nb', true],
  ['^A.B$', 'imsu', 'x\na\nb', true],
  ['^表.$', 'u', '表🧑', true],
] as const)('PSA-36: /%s/%s and %j: %s', ([pattern, flags, text, found]) => {
  expect(compilePattern(pattern, flags).matcher(text).find()).toBe(found);
});

test.for([
  ['a', 'g', 'expected flags of i, m, s and u, each once'],
  ['a', 'ii', 'expected flags of i, m, s and u, each once'],
  ['(?=a)', '', 'invalid or unsupported Perl syntax'],
  [String.raw`(a)\1`, '', 'invalid escape sequence'],
  ['(?:a{1000}){1000}', '', 'invalid repeat count'],
  ['x'.repeat(1_001), '', 'it has 1001 characters, at most 1000 are allowed'],
] as const)('PSA-36: /%s/%s is refused', ([pattern, flags, words]) => {
  expect(() => compilePattern(pattern, flags)).toThrow(words);
});

test('PSA-36: what takes others until the end of time takes a moment', () => {
  const text = `${'a'.repeat(30_000)}b`;
  expect(compilePattern('^(a+)+$', '').matcher(text).find()).toBe(false);
  expect(compilePattern('(a|aa)+$', '').matcher(text).find()).toBe(false);
});
