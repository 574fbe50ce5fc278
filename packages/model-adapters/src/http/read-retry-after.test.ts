import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRetryAfter } from './read-retry-after.js';

const now = Date.parse('2026-11-22T12:00:00Z');
const read = (headers: Readonly<Record<string, string>>) => readRetryAfter(headers, { now, limited: true });

test.for<readonly [string, Readonly<Record<string, string>>, number | undefined]>([
  ['seconds', { 'retry-after': '20' }, 20_000],
  ['part of a second', { 'retry-after': '0.25' }, 250],
  ['milliseconds', { 'retry-after-ms': '150.5' }, 151],
  ['a date of HTTP', { 'retry-after': 'Sun, 22 Nov 2026 12:00:30 GMT' }, 30_000],
  ['a date that is over', { 'retry-after': 'Sun, 22 Nov 2026 11:00:00 GMT' }, 0],
  ['the date of a limit', { 'anthropic-ratelimit-tokens-reset': '2026-11-22T12:01:00Z' }, 60_000],
  ['a duration', { 'x-ratelimit-reset-requests': '1h2m3s' }, 3_723_000],
  ['milliseconds of a duration', { 'x-ratelimit-reset-tokens': '120ms' }, 120],
  ['a moment in seconds', { 'x-ratelimit-reset': String(now / 1000 + 5) }, 5000],
  ['a moment in milliseconds', { 'x-ratelimit-reset': String(now + 5) }, 5],
  ['more than a day', { 'retry-after': '999999999' }, 86_400_000],
  ['no number', { 'retry-after': 'soon' }, undefined],
  ['a negative number', { 'retry-after': '-5' }, undefined],
  ['an empty text', { 'retry-after': '' }, undefined],
  ['nothing', {}, undefined],
])('PSA-29: %s is read as milliseconds', ([, headers, expected]) => {
  expect(read(headers)).toBe(expected);
});

test('PSA-29: of several limits those count of which nothing remains, and the latest of them', () => {
  const resets = { 'x-ratelimit-reset-requests': '60s', 'x-ratelimit-reset-tokens': '2s' };
  expect(read(resets)).toBe(60_000);
  expect(read({ ...resets, 'x-ratelimit-remaining-requests': '12', 'x-ratelimit-remaining-tokens': '0' })).toBe(2000);
  expect(read({ ...resets, 'retry-after': '7' })).toBe(7000);
});

test('PSA-29: limits that were not reached say nothing of when to come back', () => {
  const options = { now, limited: false };
  expect(readRetryAfter({ 'x-ratelimit-reset-requests': '6m0s' }, options)).toBeUndefined();
  expect(readRetryAfter({ 'x-ratelimit-reset-requests': '6m0s', 'retry-after': '1' }, options)).toBe(1000);
});

test('PSA-29: whatever the headers say, it is a whole number of milliseconds within a day, or nothing', () => {
  const name = fc.constantFrom('retry-after', 'retry-after-ms', 'x-ratelimit-reset', 'x-ratelimit-reset-tokens');
  const value = fc.oneof(
    fc.string(),
    fc.double().map(String),
    fc.nat().map((n) => `${n}ms`),
    fc.date().map(String),
  );
  fc.assert(
    fc.property(fc.dictionary(name, value), (headers) => {
      const wait = read(headers);
      expect(wait === undefined || (Number.isSafeInteger(wait) && wait >= 0 && wait <= 86_400_000)).toBe(true);
    }),
  );
});
