import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparePaths } from './compare-paths.js';

test('paths sort as the bytes of their UTF-8 do', () => {
  const text = fc.string({ unit: 'binary', maxLength: 6 });
  const near = fc.array(fc.constantFrom('a', '/', '-', '\uE000', '\uFFFD', '\u{10000}', '\u{10FFFF}', 'é'), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        near.map((parts) => parts.join('')),
      ),
      fc.oneof(
        text,
        near.map((parts) => parts.join('')),
      ),
      (left, right) => {
        const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
        expect(Math.sign(comparePaths(left, right))).toBe(bytes);
      },
    ),
    { numRuns: 3_000 },
  );
});
