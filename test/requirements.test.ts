import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const id = '(?:SPEC|SAA|AGIO|PSA|H9)-\\d{2}';
// As tests are written here: the title after `test(`, after the end of a table, `])(`, or on a line of its own.
const title = new RegExp(`^ *(?:(?:test|describe)\\b.*\\(|\\].*\\()?['"\`](${id}(?:, ${id})*): `, 'gmu');
const comment = /^ *(?:\/\/.*|\/\*[\s\S]*?\*\/)/gmu;
// Skipped whatever the machine, unlike by `skipIf`.
const skipped = /^ *(?:test|describe)(?:\.\w+)*\.(?:skip|todo|fails)(?:\.\w+)*\(\s*['"`[]/mu;

function promisedIds(): string[] {
  const page = readFileSync(new URL('../docs/requirements.md', import.meta.url), 'utf8');
  return [...page.matchAll(new RegExp(`^\\| (${id}) *\\|`, 'gmu'))].map(([, found]) => String(found));
}

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist', 'fixtures'].includes(entry.name) ? [] : testFiles(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

const files = ['packages', 'apps', 'bench', 'skills-builtin', 'tooling', 'test']
  .flatMap((folder) => testFiles(join(import.meta.dirname, '..', folder)))
  .map((path) => ({ path, text: readFileSync(path, 'utf8').replaceAll(comment, '') }));

function idsIn(text: string): string[] {
  return [...text.matchAll(title)].flatMap(([, ids = '']) => ids.split(', '));
}

test('every promise is held by a test, and every test that names one names a promise of the page', () => {
  const promised = promisedIds();
  expect(promised.length).toBeGreaterThan(30);
  const tested = new Set(files.flatMap(({ text }) => idsIn(text)));
  expect([...tested].toSorted()).toEqual(promised.toSorted());
});

test('no test is skipped on every machine', () => {
  expect(files.filter(({ text }) => skipped.test(text)).map(({ path }) => path)).toEqual([]);
});

test.each([
  ["test('PSA-99: x', () => {", ['PSA-99']],
  ["test.skipIf(windows)('PSA-98, PSA-99: x', () => {", ['PSA-98', 'PSA-99']],
  ["] as const)('PSA-99: x', () => {", ['PSA-99']],
  ["test.each(cases)(\n  'PSA-99: x',", ['PSA-99']],
  ["  // test('PSA-99: x', () => {", []],
  ["/*\n test('PSA-99: x', () => {\n*/", []],
  ["const text = 'PSA-99: x';", []],
])('what counts as the title of a test: %j', (text, ids) => {
  expect(idsIn(text.replaceAll(comment, ''))).toEqual(ids);
});

test.each([
  ["test.skip('x'", true],
  ["test.skip.each([1])('x'", true],
  ["describe.todo('x'", true],
  ["test.skipIf(windows)('x'", false],
  ["context.skip(missing, 'x')", false],
])('what counts as skipped: %j', (text, expected) => {
  expect(skipped.test(text)).toBe(expected);
});
