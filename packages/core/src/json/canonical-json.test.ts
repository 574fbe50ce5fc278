import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.js';
import { nestedTooDeep, recordable } from './recordable.js';

test('keys are sorted by UTF-16 code units, and nothing stands between values', () => {
  // The example of RFC 8785, section 3.2.3.
  const value = {
    '\u20AC': 'Euro Sign',
    '\r': 'Carriage Return',
    '\uFB33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\u{1F600}': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00F6': 'Latin Small Letter O With Diaeresis',
  };
  expect([...canonicalJson(value).matchAll(/:"([^"]+)"/gu)].map(([, name]) => name)).toStrictEqual([
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ]);
  expect(canonicalJson({ b: [1e21, 4.5, 1e-7, -0], a: 'é\n', c: undefined, d: { z: null, y: true } })).toBe(
    '{"a":"é\\n","b":[1e+21,4.5,1e-7,0],"d":{"y":true,"z":null}}',
  );
});

test('the same values have the same text in whatever order they were written, and it reads back', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(recordable(value));
      expect(canonicalJson(reversed(recordable(value)))).toBe(text);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});

test.each([Number.NaN, Infinity, -Infinity, '\uD83D', { '\uDE00': 1 }, [undefined], 1n, Symbol('a'), () => 1])(
  '%s is nothing that JSON can say',
  (value) => {
    expect(() => canonicalJson({ value })).toThrow(TypeError);
  },
);

test('every value has a form that can be recorded, and only one', () => {
  const odd = fc.anything({ withBigInt: true, maxDepth: 3 });
  fc.assert(
    fc.property(odd, (value) => {
      const once = recordable(value);
      expect(canonicalJson(recordable(JSON.parse(canonicalJson(once))))).toBe(canonicalJson(once));
    }),
  );
  expect(recordable({ tokens: Infinity, a: Number.NaN, b: '\uD83Dx', c: undefined })).toStrictEqual({
    tokens: 9_007_199_254_740_991,
    a: null,
    b: '\uFFFDx',
  });
  let deep: unknown = 'bottom';
  for (let level = 0; level < 10_000; level += 1) deep = [deep];
  expect(canonicalJson(recordable(deep))).toBe(`${'['.repeat(48)}"${nestedTooDeep}"${']'.repeat(48)}`);
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}
