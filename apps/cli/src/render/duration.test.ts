import { expect, test } from 'vitest';
import { duration } from './duration.js';

test('a time is told in the units that a person would use', () => {
  const second = 1000;
  const minute = 60 * second;
  const told = [-5, 0, 340, 9_940, 9_960, 59_400, 59_600, 125 * second, 59 * minute + 59_400, 200 * minute];
  expect(told.map(duration)).toEqual([
    '0.0 s',
    '0.0 s',
    '0.3 s',
    '9.9 s',
    '10 s',
    '59 s',
    '1 min 0 s',
    '2 min 5 s',
    '59 min 59 s',
    '3 h 20 min',
  ]);
});
