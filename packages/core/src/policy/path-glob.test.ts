import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesPathGlob, parsePathGlob, type PathGlob, type PathMatch } from './path-glob.js';

function globOf(text: string): PathGlob {
  const reading = parsePathGlob(text);
  if ('problem' in reading) throw new Error(reading.problem);
  return reading.pattern;
}

function matches(
  glob: string,
  path: string,
  { certainty = 'surely', reach = 'path' }: Partial<PathMatch> = {},
): boolean {
  return matchesPathGlob(globOf(glob), path, { certainty, reach });
}

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['/src/a.ts', 'src/a.ts'],
  ['./src/a.ts', 'src/a.ts'],
  ['src/a.ts', './src//a.ts'],
  ['src/*.ts', 'src/a.ts'],
  ['src/*', 'src/.env'],
  ['src/**', 'src/a.ts'],
  ['src/**', 'src/a/b/c.ts'],
  ['src/**/*.ts', 'src/a.ts'],
  ['src/**/*.ts', 'src/a/b.ts'],
  ['**', 'a'],
  ['**', 'a/b'],
  ['**/a.md', 'a.md'],
  ['**/a.md', 'x/y/a.md'],
  ['*.md', 'a.md'],
  ['*.md', 'docs/a.md'],
  ['docs/', 'docs/a.md'],
  ['docs/', 'x/docs/y/a.md'],
  ['/docs/', 'docs/a.md'],
  ['a?c.md', 'abc.md'],
  ['[ab].md', 'b.md'],
  ['//srv/data/**', '/srv/data/a'],
  ['//srv/data/**', '/srv//data/./a'],
  ['Å.md', 'A\u030A.md'],
  ['A\u030A.md', 'Å.md'],
])('the glob %j means the path %j', (glob, path) => {
  expect(matches(glob, path)).toBe(true);
  expect(matches(glob, path, { certainty: 'possibly' })).toBe(true);
});

test.each([
  ['src/a.ts', 'x/src/a.ts'],
  ['src/*', 'src/a/b.ts'],
  ['src/*', 'src'],
  ['src/**', 'src'],
  ['src/**', 'source/a'],
  ['src', 'src/a.ts'],
  ['/docs/', 'x/docs/a.md'],
  ['**', '..'],
  ['**', ''],
  ['**', '.'],
  ['*.md', 'a.mdx'],
  ['*.md', 'a.md/b'],
  ['//srv/**', 'srv/a'],
])('the glob %j does not mean the path %j', (glob, path) => {
  expect(matches(glob, path)).toBe(false);
});

test.each([
  ['src/**', 'src/a/../b'],
  ['src/**', '../src/a'],
  ['src/**', '../project/src/a'],
  ['src/**', '/src/a'],
  ['src/**', '/home/me/project/src/a'],
  ['src/**', 'SRC/a'],
  ['src/**', 'src\\a'],
  ['src/**', 'C:/src/a'],
  ['src/**', '~/src/a'],
  ['.env', '.ENV'],
  ['.env', '.env.'],
  ['.env', '.env '],
  ['.env', 'a/.env/b'],
  ['src/secret', 'src/secret/a'],
  ['Ä.md', 'ä.md'],
  // Systems of files that fold find one by the other.
  ['.env', '.e\u200Cnv'],
  ['.env', '.env\uFEFF.'],
  ['secrets.md', '\u017Fecrets.md'],
  ['STRASSE.md', 'stra\u00DFe.md'],
  ['file.md', '\uFB01le.md'],
  ['.env', '.env::$DATA'],
  ['.git/config', '.git::$INDEX_ALLOCATION/config'],
  ['//srv/secret/**', '../../srv/secret/a'],
  ['//srv/project/secret/**', 'secret/a'],
  ['//srv/project/secret/**', '~/secret/a'],
])('whether the glob %j means the path %j cannot be told: no yes is taken from it, and no no is lost', (glob, path) => {
  expect(matches(glob, path)).toBe(false);
  expect(matches(glob, path, { certainty: 'possibly' })).toBe(true);
});

test.each([
  ['src/**', 'docs/a'],
  ['src/**', 'src/../docs/a'],
  ['src/**', 'src/../etc/passwd'],
  ['src/**', 'src\\..\\etc'],
  ['.env', 'env'],
  ['.env', 'src/.envrc'],
  ['//etc/**', 'src/a'],
  ['//etc/**', '/srv/a'],
  ['//etc/**', '/srv/etc/a'],
])('the glob %j can never mean the path %j', (glob, path) => {
  expect(matches(glob, path, { certainty: 'possibly' })).toBe(false);
});

test.each([
  ['src/**', 'src', true],
  ['src/**', 'src/a', true],
  ['**', '.', true],
  ['docs/', 'docs', true],
  ['src/*', 'src', false],
  ['*.md', 'docs', false],
  ['*.md', 'docs/a.md', true],
  ['src/**', '.', false],
])('a tool that looks through a folder needs a glob that means all of it: %j, %j: %j', (glob, path, expected) => {
  expect(matches(glob, path, { reach: 'content-below' })).toBe(expected);
  expect(matches(glob, path, { reach: 'names-below' })).toBe(expected);
});

test.each([
  ['src/secret/**', 'src', true],
  ['src/secret/**', '.', true],
  ['src/secret/**', '', true],
  ['.env', 'docs', true],
  ['src/secret/**', 'docs', false],
  ['src/secret/**', 'docs/../src', true],
  ['src/secret/**', '/elsewhere', true],
])('a tool that reads what lies below a folder may meet what is denied there: %j, %j: %j', (glob, path, expected) => {
  expect(matches(glob, path, { certainty: 'possibly', reach: 'content-below' })).toBe(expected);
});

test('to name what lies below a folder is not to read it', () => {
  expect(matches('src/secret/**', 'src', { certainty: 'possibly', reach: 'names-below' })).toBe(false);
  expect(matches('src/secret/**', 'src/secret/a', { certainty: 'possibly', reach: 'names-below' })).toBe(true);
});

test.each(['~/a', '!a', 'a\\*', '{a,b}', '../a', 'a/../b', '', '.', './', '/', '//', 'a[', `a${'/b'.repeat(256)}`])(
  '%j is no glob, and it is told why',
  (text) => {
    expect(parsePathGlob(text)).toEqual({ problem: expect.stringMatching(/^[A-Z].*\.$/u) });
  },
);

const part = fc.constantFrom('a', 'B', 'b.md', '*', '**', '?', '*.md', '[a-b]', '[!a]', '.env');
const glob = fc
  .tuple(fc.constantFrom('', '/', '//'), fc.array(part, { minLength: 1, maxLength: 5 }))
  .map(([start, parts]) => start + parts.join('/'));
const place = fc.constantFrom('a', 'A', 'b', 'b.md', '.env', '..', '.', '', 'q');
const path = fc
  .tuple(fc.constantFrom('', '/', './'), fc.array(place, { maxLength: 6 }))
  .map(([start, parts]) => start + parts.join('/'));

test('globs find what the regular expressions of them find', () => {
  fc.assert(
    fc.property(glob, path, (text, given) => {
      const anchored = /\/[^/]/u.test(text);
      const parts = text.split('/').filter((name) => name !== '');
      if (!anchored) parts.unshift('**');
      const source = parts.map((name, at) => {
        if (name === '**') return at === parts.length - 1 ? '[^/]+/(?:[^/]+/)*' : '(?:[^/]+/)*';
        return `${name.replaceAll('.', '\\.').replaceAll('?', '[^/]').replaceAll('*', '[^/]*').replace('[!', '[^')}/`;
      });
      const steps = given.split('/').filter((name) => name !== '' && name !== '.');
      const fits =
        text.startsWith('//') === given.startsWith('/') &&
        !steps.includes('..') &&
        given !== '' &&
        new RegExp(`^${source.join('')}$`, 'u').test(steps.map((name) => `${name}/`).join(''));
      expect(matches(text, given)).toBe(fits);
    }),
    { numRuns: 3_000 },
  );
});

test('what is surely meant may be meant, too, whatever a tool reads', () => {
  const reach = fc.constantFrom('path' as const, 'names-below' as const, 'content-below' as const);
  fc.assert(
    fc.property(glob, path, reach, (text, given, reached) => {
      fc.pre(matches(text, given, { reach: reached === 'names-below' ? 'path' : reached }));
      expect(matches(text, given, { certainty: 'possibly', reach: reached })).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('no path that leads up is meant by a glob, and no absolute one by a glob of the workspace', () => {
  fc.assert(
    fc.property(glob, path, (text, given) => {
      if (!matches(text, given)) return;
      expect(given.split('/')).not.toContain('..');
      expect(given.startsWith('/')).toBe(text.startsWith('//'));
    }),
  );
});

test('a glob of many ** and a long path take no longer than one times the other', () => {
  expect(matches(`${'**/a/'.repeat(100)}b`, 'a/'.repeat(256))).toBe(false);
  expect(matches(`${'*a'.repeat(200)}b`, 'a'.repeat(255))).toBe(false);
});

test('of a path longer than any system has, nothing is sure', () => {
  for (const long of [`src/${'a/'.repeat(300)}`, `src/${'a'.repeat(256)}`, `src${'/a'.repeat(3_000)}`]) {
    expect(matches('src/**', long)).toBe(false);
    expect(matches('docs/**', long, { certainty: 'possibly' })).toBe(true);
  }
});
