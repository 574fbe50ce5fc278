import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProject } from './find-project.js';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'project-')));
});
afterEach(() => rmSync(base, { recursive: true }));

const root = process.getuid?.() === 0;

test.skipIf(!root)('a folder above that somebody else marked is no project of mine', () => {
  const mine = join(base, 'shared', 'mine');
  mkdirSync(mine, { recursive: true });
  const mark = join(base, 'shared', 'skillpack.json');
  writeFileSync(mark, '{}');
  expect(findProject(mine, { home: '/nowhere' })).toBe(join(base, 'shared'));
  chownSync(mark, 4321, 4321);
  expect(findProject(mine, { home: '/nowhere' })).toBe(mine);
});

test('the folder one works in counts whoever marked it', () => {
  writeFileSync(join(base, 'skillpack-lock.json'), '{}');
  if (root) chownSync(join(base, 'skillpack-lock.json'), 4321, 4321);
  expect(findProject(base, { home: base })).toBe(base);
});
