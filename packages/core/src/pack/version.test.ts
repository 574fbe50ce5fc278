import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caught } from '../../test/caught.js';
import { isTagName } from './tag-name.js';
import {
  compareVersions,
  isPrerelease,
  isVersion,
  isVersionRange,
  newestInRange,
  parseVersion,
  satisfiesRange,
  versionSchema,
} from './version.js';

test.each([
  ['1.2.3', '1.2.3'],
  ['v1.2.3', '1.2.3'],
  [' 1.2.3 ', '1.2.3'],
  ['1.2.3-rc.1', '1.2.3-rc.1'],
  ['1.2.3+build.5', '1.2.3+build.5'],
  ['1.0.0-0A.is.legal', '1.0.0-0A.is.legal'],
  ['1.0.0-alpha-a.b-c+exp.sha-5114f85', '1.0.0-alpha-a.b-c+exp.sha-5114f85'],
])('%j is read as %s', (text, version) => {
  expect(parseVersion(text)).toBe(version);
  expect(isVersion(text)).toBe(text === version);
});

test.each([
  '',
  '1',
  '1.2',
  '01.2.3',
  '1.2.3.4',
  '1.2.3-',
  '1.2.3-01',
  '1.2.3+',
  'latest',
  '1.2.x',
  '-1.2.3',
  '1.2.3 4',
  '=1.2.3',
  '99999999999999999999.0.0',
  `1.2.3-${'a'.repeat(251)}`,
])('%j is no version', (text) => {
  expect(isVersion(text)).toBe(false);
  expect(versionSchema.safeParse(text).success).toBe(false);
  expect(caught(() => parseVersion(text)).code).toBe('INVALID_VERSION');
});

test('256 characters are the longest version', () => {
  const longest = `1.2.3-${'a'.repeat(250)}`;
  expect(longest).toHaveLength(256);
  expect(isVersion(longest)).toBe(true);
  expect(versionSchema.safeParse(longest).success).toBe(true);
});

test('the pattern of the schemas and the reader agree', () => {
  const like = fc.stringMatching(/^[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,2}(?:[-+][0-9a-zA-Z.-]{0,8}){0,2}$/u);
  fc.assert(
    fc.property(like, (text) => {
      expect(versionSchema.safeParse(text).success).toBe(isVersion(text));
    }),
  );
});

test('what was read is a version as it stands', () => {
  const number = fc.nat(999);
  fc.assert(
    fc.property(number, number, number, fc.constantFrom('', '-rc.1', '+5', '-a+b'), (a, b, c, rest) => {
      expect(isVersion(parseVersion(`v${a}.${b}.${c}${rest}`))).toBe(true);
    }),
  );
});

test.each(['', '*', '^1', '~1.2', '>=1 <2', '1 || 2', '1.x', '1.0.0 - 2.0.0', 'v1'])('%j is a range', (range) => {
  expect(isVersionRange(range)).toBe(true);
});

test.each(['latest', 'a b', '^', '>=x.y', `>=1${' '.repeat(256)}`])('%j is no range', (range) => {
  expect(isVersionRange(range)).toBe(false);
});

test('order, prereleases and the newest of a range', () => {
  expect(['2.0.0', '1.10.0', '1.9.0', '2.0.0-rc.1'].toSorted(compareVersions)).toEqual([
    '1.9.0',
    '1.10.0',
    '2.0.0-rc.1',
    '2.0.0',
  ]);
  expect(compareVersions('1.0.0+a', '1.0.0+b')).toBe(0);
  expect([isPrerelease('1.0.0-0'), isPrerelease('1.0.0+0')]).toEqual([true, false]);
  expect(newestInRange(['1.0.0', '1.2.0', '2.0.0-rc.1', '1.10.0'], '^1')).toBe('1.10.0');
  expect(newestInRange(['2.0.0-rc.1'], '*')).toBeUndefined();
  expect(newestInRange(['2.0.0-rc.1', '2.0.0-rc.2'], '^2.0.0-rc.1')).toBe('2.0.0-rc.2');
  expect(newestInRange([], '*')).toBeUndefined();
  expect(satisfiesRange('2.0.0-rc.1', '^2.0.0-rc.0')).toBe(true);
  expect(satisfiesRange('2.1.0-rc.1', '^2.0.0-rc.0')).toBe(false);
  expect(satisfiesRange('1.0.0', 'not a range')).toBe(false);
});

test('no range and no version of any length takes long', () => {
  const started = performance.now();
  const hostile = [
    '1 || '.repeat(51),
    `>=1${' '.repeat(250)}2`,
    `${'1.'.repeat(127)}x`,
    `1.0.0-${'0'.repeat(249)}!`,
    `1.0.0-${'a.'.repeat(124)}!`,
    '~'.repeat(256),
    '9'.repeat(1_000_000),
    `1.0.0-${'0'.repeat(1_000_000)}!`,
    `${' '.repeat(1_000_000)}x`,
  ];
  for (const text of hostile) {
    isVersion(text);
    isVersionRange(text);
    isTagName(text);
    versionSchema.safeParse(text);
    satisfiesRange('1.0.0', text.slice(0, 256));
  }
  expect(performance.now() - started).toBeLessThan(3_000);
});

test.each(['latest', 'beta', 'next-2', 'a', 'release_1.2', `a${'b'.repeat(63)}`])('%s can be a tag', (tag) => {
  expect(isTagName(tag)).toBe(true);
});

test.each(['', 'x', 'v1', 'v1.2.3', '1', 'Beta', '-a', 'a b', 'a/b', 'constructor', '__proto__', `a${'b'.repeat(64)}`])(
  '%j can be no tag',
  (tag) => {
    expect(isTagName(tag)).toBe(false);
  },
);
