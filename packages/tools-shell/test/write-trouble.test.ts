import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ToolResult } from '@skillpack/core';
import { expect, onTestFinished, test, type TestContext } from 'vitest';
import { expectFailure, leftIn, makeWorkspace, treeOf, writeToolsIn } from './write-ground.js';

const windows = process.platform === 'win32';
const root = process.getuid?.() === 0;

test('of two edits at a time one is done, and the other is told; nothing is mixed', async () => {
  const { run, read, workspace } = makeWorkspace();
  for (let turn = 0; turn < 20; turn += 1) {
    writeFileSync(join(workspace, 'a'), 'one\ntwo\n');
    const results = await Promise.all([
      run('edit_file', { path: 'a', old_text: 'one', new_text: 'x'.repeat(100_000) }),
      run('edit_file', { path: 'a', old_text: 'two', new_text: 'y'.repeat(100_000) }),
    ]);
    const [won, lost] = results[0].ok ? results : results.toReversed();
    expect(won).toMatchObject({ ok: true });
    expectFailure(lost!, 'FILE_CHANGED');
    expect(read('a')).toBe(results[0].ok ? `${'x'.repeat(100_000)}\ntwo\n` : `one\n${'y'.repeat(100_000)}\n`);
  }
  expect(leftIn(workspace)).toEqual([]);
});

test('of two that make one file at a time one is done, and the other is told', async () => {
  const { run, read } = makeWorkspace();
  const contents = ['x', 'y', 'z'].map((letter) => letter.repeat(200_000));
  const results = await Promise.all(contents.map(async (content) => run('write_file', { path: 'new/a', content })));
  const done = results.findIndex(({ ok }) => ok);
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  for (const result of results) if (!result.ok) expectFailure(result, 'FILE_CHANGED');
  expect(read('new/a')).toBe(contents[done]);
});

test.skipIf(windows)('a file that somebody else changes while it is edited is left as they have it', async () => {
  const { run, read, workspace } = makeWorkspace({ a: 'one' });
  const editing = run('edit_file', { path: 'a', old_text: 'one', new_text: 'x'.repeat(1_000_000) });
  // It was read before anybody else had a turn.
  writeFileSync(join(workspace, 'a'), 'two');
  expectFailure(await editing, 'FILE_CHANGED');
  expect(read('a')).toBe('two');
});

test.skipIf(windows)('a file that changes, moves or is to stay after it was looked at is not deleted', async () => {
  const redact = (text: string): string => {
    meanwhile();
    return text;
  };
  let meanwhile = (): void => undefined;
  const { run, workspace } = makeWorkspace({ 'a/b': 'text' }, { redact });
  const controller = new AbortController();
  const deleteIt = async (): Promise<ToolResult> => run('delete_file', { path: 'a/b' }, controller.signal);
  const oneTime = (work: () => void) => (): void => {
    meanwhile = () => undefined;
    work();
  };
  meanwhile = oneTime(() => writeFileSync(join(workspace, 'a/b'), 'more'));
  expectFailure(await deleteIt(), 'FILE_CHANGED');
  meanwhile = oneTime(() => renameSync(join(workspace, 'a'), join(workspace, 'moved')));
  expectFailure(await deleteIt(), 'PATH_TRAVERSAL_BLOCKED');
  renameSync(join(workspace, 'moved'), join(workspace, 'a'));
  meanwhile = oneTime(() => controller.abort());
  await expect(deleteIt()).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect(readFileSync(join(workspace, 'a/b'), 'utf8')).toBe('more');
});

test.skipIf(windows)('what nobody else may read is read by nobody else while it is written either', async () => {
  const { run, workspace } = makeWorkspace({ a: 'secret' });
  chmodSync(join(workspace, 'a'), 0o600);
  const mask = process.umask(0);
  onTestFinished(() => void process.umask(mask));
  const modes: number[] = [];
  const writing = new AbortController();
  const written = run('write_file', { path: 'a', content: 'x'.repeat(8_000_000) }).finally(() => {
    writing.abort();
  });
  for (; !writing.signal.aborted; await nextTurn()) {
    for (const name of leftIn(workspace)) {
      modes.push((statSync(join(workspace, name), { throwIfNoEntry: false })?.mode ?? 0) & 0o077);
    }
  }
  expect(await written).toMatchObject({ ok: true });
  expect(modes.length).toBeGreaterThan(0);
  expect(new Set(modes)).toEqual(new Set([0]));
});

function mountSmallDisk({ skip }: TestContext): string {
  const { folder } = makeWorkspace();
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', disk]);
  if (mounted.status !== 0) skip('nothing may be mounted here');
  onTestFinished(() => void execFileSync('umount', [disk]));
  return disk;
}

test('where the disk is full, everything is as it was, and goes on once there is room', async (context) => {
  const disk = mountSmallDisk(context);
  writeFileSync(join(disk, 'a'), 'one');
  writeFileSync(join(disk, 'filler'), randomBytes(200 * 1024));
  const run = writeToolsIn(disk);
  const before = treeOf(disk);
  const content = 'x'.repeat(100 * 1024);
  for (const [name, input] of [
    ['write_file', { path: 'a', content }],
    ['write_file', { path: 'new/deep/b', content }],
    ['edit_file', { path: 'a', old_text: 'one', new_text: content }],
  ] as const) {
    const result = await run(name, input);
    expectFailure(result, 'IO_ERROR');
    expect(result.content).toContain('(ENOSPC). Nothing was changed.');
    expect(treeOf(disk)).toEqual(before);
  }
  rmSync(join(disk, 'filler'));
  expect((await run('write_file', { path: 'new/deep/b', content })).ok).toBe(true);
});

test.skipIf(!root)('where the disk is only read, that is told', async ({ skip }) => {
  const { folder } = makeWorkspace();
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', 'none', disk]).status !== 0) skip('nothing may be mounted here');
  onTestFinished(() => void execFileSync('umount', [disk]));
  writeFileSync(join(disk, 'a'), 'text');
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  const run = writeToolsIn(disk);
  for (const result of [
    await run('write_file', { path: 'a', content: '' }),
    await run('write_file', { path: 'new/a', content: '' }),
    await run('delete_file', { path: 'a' }),
  ]) {
    expectFailure(result, 'IO_ERROR');
    expect(result.content).toContain('EROFS');
  }
});

test.skipIf(windows)('what is read-only is neither replaced nor deleted, whoever runs it', async () => {
  const { run, workspace } = makeWorkspace({ a: 'text' });
  for (const mode of [0o444, 0o400, 0o466]) {
    chmodSync(join(workspace, 'a'), mode);
    const before = treeOf(workspace);
    for (const [name, input] of [
      ['write_file', { path: 'a', content: '' }],
      ['edit_file', { path: 'a', old_text: 'text', new_text: '' }],
      ['delete_file', { path: 'a' }],
    ] as const) {
      const result = await run(name, input);
      expectFailure(result, 'FILE_PROTECTED');
      expect(result.content).toContain('“a” is read-only.');
    }
    expect(treeOf(workspace)).toEqual(before);
  }
});

test.skipIf(!root)('a file keeps its owner, where that may be', async () => {
  const { run, workspace } = makeWorkspace({ a: 'text' });
  chownSync(join(workspace, 'a'), 65_534, 65_534);
  expect((await run('edit_file', { path: 'a', old_text: 'text', new_text: 'new' })).ok).toBe(true);
  expect(statSync(join(workspace, 'a'))).toMatchObject({ uid: 65_534, gid: 65_534 });
  chownSync(join(workspace, 'a'), process.getuid?.() ?? 0, 65_533);
  expect((await run('edit_file', { path: 'a', old_text: 'new', new_text: 'newer' })).ok).toBe(true);
  expect(statSync(join(workspace, 'a'))).toMatchObject({ uid: process.getuid?.(), gid: 65_533 });
});

const sources = fileURLToPath(new URL('../../..', import.meta.url));
const here = [
  '--disable-warning=ExperimentalWarning',
  '--conditions=skillpack-source',
  `--import=${join(sources, 'test/registry/resolve-sources.ts')}`,
  '--input-type=module',
  '-e',
];
const importTools = `import { createWriteTools } from ${JSON.stringify(new URL('../src/write/write-tools.ts', import.meta.url).href)};
const [workspace, given] = process.argv.slice(1);
const tools = createWriteTools({ clock: { now: () => 0 } }, { workspace });
const context = { signal: new AbortController().signal, id: '1' };
`;
const callAll = `${importTools}
const results = [];
for (const [name, input] of JSON.parse(given)) results.push(await tools.find((tool) => tool.name === name).run(input, context));
process.stdout.write(JSON.stringify(results));
`;
const writeForEver = `${importTools}
for (let turn = 0; ; turn += 1) {
  const content = String.fromCharCode(97 + (turn % 26)).repeat(300_000);
  const { ok } = await tools[0].run({ path: 'kept', content }, context);
  await tools[0].run({ path: 'new/' + turn + '/file', content }, context);
  process.stdout.write(ok ? 'done\\n' : 'failed\\n');
}
`;
// Node runs the sources as they are, where it knows their syntax.
const runsSources = Number(process.versions.node.split('.')[0]) >= 24;

/** What the tools answer somebody who may do less. */
function asNobody(workspace: string, calls: readonly (readonly [string, object])[]): readonly ToolResult[] {
  const user = ['--reuid=65534', '--regid=65534', '--clear-groups'];
  const command = [...user, '--', process.execPath, ...here, callAll, workspace, JSON.stringify(calls)];
  const { stdout, stderr } = spawnSync('setpriv', command, {
    encoding: 'utf8',
    cwd: '/',
    env: { HOME: '/nonexistent' },
  });
  expect(stderr).toBe('');
  // Cast: the answers, as the child wrote them.
  return JSON.parse(stdout) as readonly ToolResult[];
}

test.skipIf(!root || !runsSources || spawnSync('setpriv', ['--version']).status !== 0)(
  'an ordinary user is told what they may not do, and no file of somebody else becomes theirs',
  () => {
    const { folder, workspace } = makeWorkspace({
      'closed/a': 'text',
      'own/theirs': 'text',
      'own/shared': 'text',
      mine: 'text',
    });
    for (const path of [folder, workspace]) chmodSync(path, 0o755);
    for (const path of ['own', 'mine']) chownSync(join(workspace, path), 65_534, 65_534);
    chmodSync(join(workspace, 'own/shared'), 0o666);
    chmodSync(join(workspace, 'closed'), 0o755);
    mkdirSync(join(workspace, 'secret'), { mode: 0o700 });
    writeFileSync(join(workspace, 'own/unreadable'), 'text', { mode: 0o600 });
    const before = treeOf(folder);
    const content = 'new';
    const results = asNobody(workspace, [
      ['write_file', { path: 'closed/new', content }],
      ['write_file', { path: 'closed/new/file', content }],
      ['write_file', { path: 'secret/file', content }],
      ['write_file', { path: 'closed/a', content }],
      ['write_file', { path: 'own/theirs', content }],
      ['delete_file', { path: 'own/theirs' }],
      ['edit_file', { path: 'own/unreadable', old_text: 'text', new_text: content }],
      // In a folder of their own they could put a file of theirs in its place.
      ['write_file', { path: 'own/shared', content }],
      ['write_file', { path: 'mine', content }],
    ]);
    expect(results.map(({ error }) => error?.code)).toEqual([
      'IO_ERROR',
      'IO_ERROR',
      'IO_ERROR',
      'FILE_PROTECTED',
      'FILE_PROTECTED',
      'FILE_PROTECTED',
      'FILE_PROTECTED',
      'FILE_PROTECTED',
      'IO_ERROR',
    ]);
    for (const { content: told } of results.slice(0, 3)) expect(told).toContain('(EACCES)');
    expect(treeOf(folder)).toEqual(before);
    chownSync(workspace, 65_534, 65_534);
    expect(asNobody(workspace, [['write_file', { path: 'mine', content }]])).toMatchObject([{ ok: true }]);
    expect(readFileSync(join(workspace, 'mine'), 'utf8')).toBe(content);
  },
);

test.skipIf(!runsSources || spawnSync('strace', ['-V']).status !== 0)(
  'what is told as written is on the disk: a file before it gets its name, its name and new folders before the answer',
  ({ skip }) => {
    const { folder, workspace } = makeWorkspace({ old: 'text' });
    const calls = [
      ['write_file', { path: 'old', content: 'new' }],
      ['write_file', { path: 'new/deep/file', content: 'new' }],
    ];
    const log = join(folder, 'calls');
    const traced = ['-f', '-y', '-e', 'trace=fsync,rename,renameat,renameat2,link,linkat', '-o', log];
    const command = [...traced, process.execPath, ...here, callAll, workspace, JSON.stringify(calls)];
    const { stdout, stderr } = spawnSync('strace', command, { encoding: 'utf8' });
    if (/ptrace|not permitted/iu.test(stderr)) skip('nothing may be traced here');
    expect(JSON.parse(stdout)).toMatchObject([{ ok: true }, { ok: true }]);
    const seen = [...readFileSync(log, 'utf8').matchAll(/(fsync|rename|link)\w*\((?:\d+<([^>]*)>)?/gu)].map(
      ([, call, path = '']) => `${call} ${path.replace(workspace, '').replace(/[0-9a-f]{16}$/u, '')}`.trim(),
    );
    expect(seen).toEqual([
      'fsync /.skillpack-write-',
      'rename',
      'fsync',
      'fsync /new/deep/.skillpack-write-',
      'link',
      'fsync',
      'fsync /new',
      'fsync /new/deep',
    ]);
  },
);

test.skipIf(windows || !runsSources)(
  'whenever it is killed, files have their old content or the new one, and what is left beside them has a name that tells',
  { timeout: 120_000 },
  async () => {
    for (let turns = 1; turns <= 8; turns += 1) {
      const { workspace } = makeWorkspace({ kept: 'old' });
      const child = spawn(process.execPath, [...here, writeForEver, workspace], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const ended = once(child, 'exit');
      const lines = createInterface({ input: child.stdout });
      let done = 0;
      for await (const line of lines) {
        expect(line).toBe('done');
        if ((done += 1) >= turns) break;
      }
      child.kill('SIGKILL');
      await ended;
      const whole = /^([a-z])\1{299999}$/u;
      expect(readFileSync(join(workspace, 'kept'), 'utf8')).toMatch(whole);
      const folders = readdirSync(join(workspace, 'new')).map((name) => join(workspace, 'new', name));
      for (const path of folders.map((folder) => join(folder, 'file')).filter((file) => existsSync(file))) {
        expect(readFileSync(path, 'utf8')).toMatch(whole);
      }
      const others = [workspace, ...folders].flatMap((folder) => readdirSync(folder));
      const known = new Set(['kept', 'new', 'file']);
      for (const name of others) if (!known.has(name)) expect(name).toMatch(/^\.skillpack-write-[0-9a-f]{16}$/u);
    }
  },
);
