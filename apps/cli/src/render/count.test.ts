import fc from 'fast-check';
import { expect, test } from 'vitest';
import { count } from './count.js';

test('a number is written as Intl writes it, with its noun', () => {
  fc.assert(
    fc.property(fc.oneof(fc.nat(20_000), fc.maxSafeNat()), (number) => {
      const plural = number === 1 ? '' : 's';
      expect(count(number, 'pack')).toBe(`${number.toLocaleString('en-US')} pack${plural}`);
    }),
  );
  expect([count(0, 'pack'), count(1, 'pack'), count(1000, 'pack')]).toEqual(['0 packs', '1 pack', '1,000 packs']);
});
