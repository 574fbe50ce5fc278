import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const id = '(?:SPEC|SAA|AGIO|PSA|H9)-\\d{2}';

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

function testedIds(): string[] {
  const folders = ['packages', 'apps', 'skills-builtin', 'tooling', 'test'];
  const files = folders.flatMap((folder) => testFiles(join(import.meta.dirname, '..', folder)));
  const titles = files.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(new RegExp(`['"\`](${id})[: (,]`, 'gu')),
  ]);
  return [...new Set(titles.map(([, found]) => String(found)))];
}

test('every promise is held by a test, and every test that names one names a promise of the page', () => {
  const promised = promisedIds();
  expect(promised.length).toBeGreaterThan(30);
  expect(testedIds().toSorted()).toEqual(promised.toSorted());
});
