import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf } from './page-of.js';

const self = (item: string): string => item;

test('of a list that changes between pages nothing is told twice, and nothing left out that was there all the time', () => {
  const keys = fc.uniqueArray(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 3 }), { maxLength: 450 });
  fc.assert(
    fc.property(keys, keys, (stable, others) => {
      const changing = others.filter((key) => !stable.includes(key));
      const told: string[] = [];
      let cursor: string | undefined;
      for (let page = 0; page === 0 || cursor !== undefined; page += 1) {
        const now = [...stable, ...(page % 2 === 0 ? changing : [])].toSorted((a, b) => (a < b ? -1 : 1));
        const { items, nextCursor } = pageOf(now, self, cursor);
        told.push(...items);
        cursor = nextCursor;
      }
      expect(new Set(told).size).toBe(told.length);
      expect(stable.filter((key) => !told.includes(key))).toEqual([]);
    }),
  );
});

test('what is no cursor is an error of the protocol; one behind the end is an empty page', () => {
  expect(() => pageOf(['a'], self, 'b')).toThrow('no page');
  expect(pageOf(['a'], self, 'after:z')).toEqual({ items: [] });
});
