import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.js';

const names = ['skills', 'help', 'quit', 'pdf', 'release-notes', 'table'];

test.each([
  ['skils', 'skills'],
  ['hlep', 'help'],
  ['PDF', 'pdf'],
  ['pfd', 'pdf'],
  ['realese-notes', 'release-notes'],
  ['release', 'release-notes'],
  ['tabel', 'table'],
  ['xyz', undefined],
  ['q', undefined],
  ['', undefined],
  ['a-very-long-name-that-is-like-nothing-here', undefined],
])('%j means %j', (typed, meant) => {
  expect(nearestName(typed, names)).toBe(meant);
});

test('a long name takes no time', () => {
  const started = performance.now();
  nearestName(
    'a'.repeat(1_000_000),
    Array.from({ length: 2000 }, (_, at) => `${'a'.repeat(70)}${at}`),
  );
  expect(performance.now() - started).toBeLessThan(2000);
});
