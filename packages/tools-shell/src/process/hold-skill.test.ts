import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { treeDigestOf, type Digest } from '@skillpack/core';
import { expect, test } from 'vitest';
import { never, temporaryFolder, windows } from '../../test/script-ground.js';
import { holdSkill } from './hold-skill.js';

function makeFolder(files: Readonly<Record<string, string>>): string {
  const folder = join(temporaryFolder(), 'demo');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const hash = (text: string): Digest => `sha256:${createHash('sha256').update(text).digest('hex')}` as Digest;
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();

test('the digest is that of all files, and the copy holds exactly those', () => {
  const folder = makeFolder({ 'SKILL.md': 'text', 'scripts/run.sh': 'echo', 'a/b/c.txt': '', '.hidden/x': 'h' });
  if (!windows) chmodSync(join(folder, 'scripts/run.sh'), 0o755);
  mkdirSync(join(folder, 'empty'));
  const into = join(temporaryFolder(), 'copy');
  const files = [
    { path: 'SKILL.md', size: 4, digest: hash('text'), executable: false },
    { path: 'scripts/run.sh', size: 4, digest: hash('echo'), executable: !windows },
    { path: 'a/b/c.txt', size: 0, digest: hash(''), executable: false },
    { path: '.hidden/x', size: 1, digest: hash('h'), executable: false },
  ];
  // Cast: what is hashed is a text.
  expect(holdSkill(folder, { into, signal: never })).toBe(treeDigestOf(files, (data) => hash(data as string)));
  expect(filesIn(into)).toEqual(filesIn(folder));
  expect(readdirSync(into)).toContain('empty');
  if (!windows) expect(statSync(join(into, 'scripts/run.sh')).mode & 0o777).toBe(0o755);
  expect(holdSkill(into, { signal: never })).toBe(holdSkill(folder, { signal: never }));
});

test('whatever changes of a file changes the digest: its bytes, its name, its bit', () => {
  const folder = makeFolder({ 'SKILL.md': 'text', 'a.sh': 'x' });
  const seen = new Set([holdSkill(folder, { signal: never })]);
  const changes = [
    () => writeFileSync(join(folder, 'a.sh'), 'y'),
    () => writeFileSync(join(folder, 'b.sh'), ''),
    ...(windows ? [] : [() => chmodSync(join(folder, 'a.sh'), 0o755)]),
  ];
  for (const change of changes) {
    change();
    seen.add(holdSkill(folder, { signal: never }));
  }
  expect(seen.size).toBe(changes.length + 1);
});

test('what lies in .git and node_modules is no part of it', () => {
  const folder = makeFolder({ 'SKILL.md': 'text', 'a/.git/config': 'g', 'node_modules/x/index.js': 'n' });
  const into = join(temporaryFolder(), 'copy');
  expect(holdSkill(folder, { into, signal: never })).toBe(
    holdSkill(makeFolder({ 'SKILL.md': 'text' }), { signal: never }),
  );
  expect(filesIn(into)).toEqual(['SKILL.md']);
});

test.skipIf(windows)('a link is the file of the same folder that it leads to, and else nothing', () => {
  const folder = makeFolder({ 'SKILL.md': 'text', 'real/a.txt': 'a' });
  const outside = makeFolder({ secret: 'secret' });
  symlinkSync('real/a.txt', join(folder, 'inner'));
  for (const [name, target] of [
    ['out', join(outside, 'secret')],
    ['folder', outside],
    ['below', 'real'],
    ['none', 'nowhere'],
  ] as const) {
    symlinkSync(target, join(folder, name));
  }
  const into = join(temporaryFolder(), 'copy');
  const digest = holdSkill(folder, { into, signal: never });
  expect(filesIn(into)).toEqual(['SKILL.md', 'inner', 'real/a.txt']);
  expect(readFileSync(join(into, 'inner'), 'utf8')).toBe('a');
  expect(holdSkill(into, { signal: never })).toBe(digest);
});

test.skipIf(windows)('however SKILL.md is written, a registry calls it so', () => {
  const proper = holdSkill(makeFolder({ 'SKILL.md': 'text' }), { signal: never });
  expect(holdSkill(makeFolder({ 'skill.md': 'text' }), { signal: never })).toBe(proper);
  expect(holdSkill(makeFolder({ 'Skill.md': 'text' }), { signal: never })).toBe(proper);
  expect(holdSkill(makeFolder({ 'a/skill.md': 'text' }), { signal: never })).not.toBe(proper);
});

test('more than can be held is refused, and so is a name that breaks a line; an abort ends it', () => {
  const many = makeFolder(Object.fromEntries(Array.from({ length: 4_999 }, (_, index) => [`${index}`, ''])));
  expect(holdSkill(many, { signal: never })).toMatch(/^sha256:/u);
  writeFileSync(join(many, 'one more'), '');
  expect(() => holdSkill(many, { signal: never })).toThrow(expect.objectContaining({ code: 'FILE_TOO_LARGE' }));
  const large = makeFolder({ 'SKILL.md': 'text', large: '' });
  truncateSync(join(large, 'large'), 64 * 1024 * 1024);
  expect(() => holdSkill(large, { signal: never })).toThrow(expect.objectContaining({ code: 'FILE_TOO_LARGE' }));
  truncateSync(join(large, 'large'), 64 * 1024 * 1024 - 4);
  expect(holdSkill(large, { signal: never })).toMatch(/^sha256:/u);
  expect(() => holdSkill(large, { signal: AbortSignal.abort() })).toThrow(
    expect.objectContaining({ code: 'INTERRUPTED' }),
  );
  if (windows) return;
  const odd = makeFolder({ 'SKILL.md': 'text', 'a\nb': '' });
  expect(() => holdSkill(odd, { signal: never })).toThrow(expect.objectContaining({ code: 'INVALID_SKILL' }));
});
