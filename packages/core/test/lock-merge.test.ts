import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SkillsError } from '../src/errors/skills-error.js';
import { lockFileName } from '../src/pack/file-names.js';
import { formatLockFile, parseLockFile, type LockEntry } from '../src/pack/lock-file.js';
import { mergeLockFiles } from '../src/pack/merge-lock-files.js';
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

const styles = ['merge', 'diff3', 'zdiff3'];

test.each(styles)(
  'two branches that add neighbours are merged, though git cuts their entries up (%s style)',
  (style) => {
    const text = conflictOf(style, { base: {}, left: { 'example/l': {} }, right: { 'example/r': {} } });
    expect(mergeLockFiles(text)).toEqual({
      text: formatLockFile({ packs: entriesOf({ 'example/l': {}, 'example/r': {} }) }),
      packs: ['example/l', 'example/r'],
      clashes: [],
    });
    expect(mergeLockFiles(text.replaceAll('\n', '\r\n'))).toEqual(mergeLockFiles(text));
  },
);

const newer = { version: '1.1.0', treeDigest: sha256('1.1.0'), integrity: sha256('1.1.0 archive') };
const newest = { version: '1.2.0', treeDigest: sha256('1.2.0'), integrity: sha256('1.2.0 archive') };

test.each(styles)('a pack that both branches updated stays a conflict, of two whole entries (%s style)', (style) => {
  const text = conflictOf(style, {
    base: { 'example/p': {}, 'example/q': {} },
    left: { 'example/a': {}, 'example/p': newer, 'example/q': {} },
    right: { 'example/b': {}, 'example/p': newest, 'example/q': {} },
  });
  const merged = mergeLockFiles(text);
  expect(merged?.clashes).toMatchObject([{ name: 'example/p', ours: newer, theirs: newest }]);
  expect(merged?.packs).toEqual(['example/a', 'example/b', 'example/p', 'example/q']);
  const left = `${merged?.text}`;
  expect(left).toMatch(/^<<<<<<< HEAD$[\s\S]*^>>>>>>> right$/mu);
  expect(mergeLockFiles(left)).toEqual(merged);
  const chosen = left.replace(/^=======\n[\s\S]*?^>>>>>>>.*\n/mu, '').replace(/^<{7}.*\n/mu, '');
  const packs = entriesOf({ 'example/a': {}, 'example/b': {}, 'example/p': newer, 'example/q': {} });
  expect(chosen).toBe(formatLockFile({ packs }));
});

test('what one branch alone changed or removed is taken over (diff3 style)', () => {
  const text = conflictOf('diff3', {
    base: { 'example/p': {}, 'example/q': {}, 'example/s': {} },
    left: { 'example/p': newer, 'example/q': {}, 'example/s': {} },
    right: { 'example/p': { range: '^1.0' }, 'example/s': newest },
  });
  const merged = mergeLockFiles(text);
  expect(merged).toMatchObject({ packs: ['example/p', 'example/s'], clashes: [{ name: 'example/p' }] });
  expect(merged?.text).toContain(`"integrity": "${newest.integrity}"`);
});

test('without the common beginning, a pack that only one side has is kept', () => {
  const text = conflictOf('merge', {
    base: { 'example/p': {} },
    left: { 'example/a': {}, 'example/p': {} },
    right: { 'example/b': {} },
  });
  expect(mergeLockFiles(text)).toMatchObject({ packs: ['example/a', 'example/b', 'example/p'], clashes: [] });
});

test.each<[string, (text: string) => string]>([
  ['without its first marker', (text) => text.replace(/^<{7}.*\n/mu, '')],
  ['without its middle', (text) => text.replace(/^={7}\n/mu, '')],
  ['without its end', (text) => text.replace(/^>{7}.*\n/mu, '')],
  [
    'whose sides repeat a key',
    (text) => text.replaceAll('"version": "1.0.0"', '"version": "1.0.0", "version": "1.0.0"'),
  ],
  ['whose sides are no JSON', (text) => text.replaceAll('"formatVersion"', 'formatVersion')],
  ['of a newer format', (text) => text.replaceAll('"formatVersion": 1', '"formatVersion": 2')],
])('a conflict %s is not merged', (_, change) => {
  const text = conflictOf('merge', { base: {}, left: { 'example/l': {} }, right: { 'example/r': {} } });
  expect(mergeLockFiles(text)).toBeDefined();
  expect(change(text)).not.toBe(text);
  expect(mergeLockFiles(change(text))).toBeUndefined();
});

type Branch = Readonly<Record<string, Partial<LockEntry>>>;

/** What git leaves in the lock file when `right` is merged into `left`. */
function conflictOf(style: string, branches: Readonly<Record<'base' | 'left' | 'right', Branch>>): string {
  rmSync(join(folder, '.git'), { recursive: true });
  git('init', '-q', '-b', 'main');
  git('config', 'merge.conflictStyle', style);
  commit(branches.base, 'base');
  onBranch('left', () => commit(branches.left, 'left'));
  onBranch('right', () => commit(branches.right, 'right'));
  git('checkout', '-q', 'left');
  expect(() => git('merge', '-q', '--no-edit', 'right')).toThrow(/./u);
  const text = readFileSync(join(folder, lockFileName), 'utf8');
  expect(text).toContain('<<<<<<<');
  return text;
}

function caught(text: string): unknown {
  try {
    return parseLockFile(text);
  } catch (error) {
    return SkillsError.is(error) ? { code: error.code, data: error.data } : error;
  }
}

function commit(branch: readonly string[] | Branch, message: string): void {
  const changes: Branch = isList(branch) ? Object.fromEntries(branch.map((name) => [name, {}])) : branch;
  writeFileSync(join(folder, lockFileName), formatLockFile({ packs: entriesOf(changes) }));
  git('add', lockFileName);
  git('commit', '-q', '-m', message);
}

function isList(branch: readonly string[] | Branch): branch is readonly string[] {
  return Array.isArray(branch);
}

function entriesOf(branch: Branch): Readonly<Record<string, LockEntry>> {
  return Object.fromEntries(Object.entries(branch).map(([name, change]) => [name, entry(name, change)]));
}

function entry(name: string, change: object = {}): LockEntry {
  return {
    source: 'registry',
    version: '1.0.0',
    range: '^1',
    registry: 'https://skills.example.org/',
    integrity: sha256(`${name} archive`),
    treeDigest: sha256(name),
    skills: [name.slice(name.indexOf('/') + 1)],
    dependencies: {},
    ...change,
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
