import { expect, test } from 'vitest';
import { formatBytes, progressLine } from './progress-line.js';

test('a line tells counts, bytes, rate and time, as far as they are known', () => {
  const options = { rate: 5.1 * 1024 * 1024, seconds: 4.2, columns: 120 };
  const progress = { label: 'Fetching', done: 3, total: 10, unit: 'packs', bytes: 12_900_000, totalBytes: 41_943_040 };
  expect(progressLine(progress, options)).toBe('Fetching 3 of 10 packs, 12.3 MiB of 40.0 MiB, 5.1 MiB/s (4 s)');
  expect(progressLine({ label: 'Waiting' }, { rate: undefined, seconds: 1, columns: 80 })).toBe('Waiting (1 s)');
});

test('a line never reaches the last column, where a terminal would wrap it', () => {
  expect(progressLine({ label: 'Fetching a lot' }, { rate: undefined, seconds: 1, columns: 10 })).toHaveLength(9);
});

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1536, '1.5 KiB'],
  [64 * 1024 * 1024, '64.0 MiB'],
  [3 * 1024 ** 4, '3072.0 GiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
