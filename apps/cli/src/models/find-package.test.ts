import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPackage } from './find-package.js';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'find-package-')));
});
afterEach(() => rmSync(base, { recursive: true }));

function install(folder: string, manifest: unknown): string {
  const path = join(base, folder, 'node_modules', '@acme', 'models');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
  return path;
}

const places = () => ({ from: join(base, 'project', 'src'), upTo: join(base, 'project') });

test.each([
  [{ exports: './a.js' }, 'a.js'],
  [{ exports: { '.': { types: './a.d.ts', import: './a.mjs', require: './a.cjs' } } }, 'a.mjs'],
  [{ exports: { '.': { node: { import: './n.js' }, default: './d.js' }, './x': './x.js' } }, 'n.js'],
  [{ exports: { require: './a.cjs', default: './d.js' }, main: 'm.js' }, 'd.js'],
  [{ exports: { '.': [{ worker: './w.js' }, './l.js'] } }, 'l.js'],
  [{ module: 'm.mjs', main: 'm.cjs' }, 'm.mjs'],
  [{ main: 'm.cjs' }, 'm.cjs'],
  [{}, 'index.js'],
  ['no JSON', 'index.js'],
])('a package with %j is imported by %s', (manifest, entry) => {
  const folder = install('project', manifest);
  expect(findPackage('@acme/models', places())).toEqual({ folder, entry: join(folder, entry) });
});

test('the nearest folder wins, and above the last one nobody looks', () => {
  install('.', { main: 'above.js' });
  expect(findPackage('@acme/models', places())).toBeUndefined();
  const ofProject = install('project', { main: 'project.js' });
  expect(findPackage('@acme/models', places())?.folder).toBe(ofProject);
  const near = install('project/src', { main: 'near.js' });
  expect(findPackage('@acme/models', places())?.folder).toBe(near);
});
