import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SkillsError } from '../src/errors/skills-error.js';
import { lockFileName } from '../src/pack/file-names.js';
import { formatLockFile, parseLockFile, type LockEntry } from '../src/pack/lock-file.js';
import { sha256 } from './sha256.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skillpack-merge-'));
  git('init', '-q', '-b', 'main');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('two branches that each add a pack merge with plain git', () => {
  commit(['example/b', 'example/m', 'example/s'], 'base');
  onBranch('left', () => commit(['example/b', 'example/c', 'example/m', 'example/s'], 'left'));
  onBranch('right', () => commit(['example/b', 'example/m', 'example/s', 'example/z'], 'right'));
  git('merge', '-q', '--no-edit', 'left');
  git('merge', '-q', '--no-edit', 'right');
  const merged = readFileSync(join(folder, lockFileName), 'utf8');
  expect(Object.keys(parseLockFile(merged).packs)).toEqual([
    'example/b',
    'example/c',
    'example/m',
    'example/s',
    'example/z',
  ]);
  expect(formatLockFile(parseLockFile(merged))).toBe(merged);
});

test.each(['merge', 'diff3'])('where git cannot merge (%s style), the conflict is named with its line', (style) => {
  git('config', 'merge.conflictStyle', style);
  commit(['example/b', 'example/s'], 'base');
  onBranch('left', () => commit(['example/b', 'example/l', 'example/s'], 'left'));
  onBranch('right', () => commit(['example/b', 'example/r', 'example/s'], 'right'));
  git('merge', '-q', '--no-edit', 'left');
  expect(() => git('merge', '-q', '--no-edit', 'right')).toThrow(/./u);
  const conflicted = readFileSync(join(folder, lockFileName), 'utf8');
  const line = conflicted.split('\n').findIndex((text) => text.startsWith('<<<<<<<')) + 1;
  expect(line).toBeGreaterThan(1);
  for (const text of [conflicted, conflicted.replaceAll('\n', '\r\n')]) {
    expect(caught(text)).toMatchObject({ code: 'LOCK_CONFLICT', data: { line } });
  }
  const withoutMarkers = conflicted.replace(/^<{7}.*\n/mu, '');
  expect(caught(withoutMarkers)).toMatchObject({ code: 'LOCK_CONFLICT' });
});

function caught(text: string): unknown {
  try {
    return parseLockFile(text);
  } catch (error) {
    return SkillsError.is(error) ? { code: error.code, data: error.data } : error;
  }
}

function commit(names: readonly string[], message: string): void {
  const packs = Object.fromEntries(names.map((name) => [name, entry(name)]));
  writeFileSync(join(folder, lockFileName), formatLockFile({ packs }));
  git('add', lockFileName);
  git('commit', '-q', '-m', message);
}

function entry(name: string): LockEntry {
  return {
    source: 'registry',
    version: '1.0.0',
    range: '^1',
    registry: 'https://skills.example.org/',
    integrity: sha256(`${name} archive`),
    treeDigest: sha256(name),
    skills: [name.slice(name.indexOf('/') + 1)],
    dependencies: {},
  };
}

function onBranch(name: string, work: () => void): void {
  git('checkout', '-q', '-b', name);
  work();
  git('checkout', '-q', 'main');
}

function git(...args: readonly string[]): void {
  const identity = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org' };
  const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' };
  const env = { ...process.env, ...identity, ...committer, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', args, { cwd: folder, env, stdio: 'pipe' });
}
