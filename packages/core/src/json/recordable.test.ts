import { expect, test } from 'vitest';
import { nestedTooDeep, recordable } from './recordable.js';

test.for<readonly [unknown, unknown]>([
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER],
  [Number.NEGATIVE_INFINITY, Number.MIN_SAFE_INTEGER],
  [-0, 0],
  [1.5, 1.5],
  [12n, '12'],
  [Symbol('\uD800'), 'Symbol(\uFFFD)'],
  [undefined, null],
  [null, null],
  [false, false],
  ['\uDC00a', '\uFFFDa'],
  // Holes.
  [Object.assign(Array.from<number>({ length: 0 }), { 2: 1 }), [null, null, 1]],
  [
    { a: undefined, '\uD800': 1, b: { c: null } },
    { '\uFFFD': 1, b: { c: null } },
  ],
  [JSON.parse('{"__proto__":{"polluted":true},"a":1}'), { a: 1 }],
])('what JSON cannot say is brought into a form that reads back as the same: %o', ([value, expected]) => {
  expect(recordable(value)).toStrictEqual(expected);
  expect(JSON.parse(JSON.stringify(recordable(value)))).toStrictEqual(expected);
});

test('48 levels are kept, and one more is said to be missing', () => {
  const nested = (levels: number, inner: unknown): unknown => (levels === 0 ? inner : [nested(levels - 1, inner)]);
  expect(recordable(nested(48, 'text'))).toStrictEqual(nested(48, 'text'));
  expect(recordable(nested(49, 'text'))).toStrictEqual(nested(48, nestedTooDeep));
});
