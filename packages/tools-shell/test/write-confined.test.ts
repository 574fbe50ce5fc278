import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { withHeldParent, type PlaceGuard } from '../src/confine/held-parent.js';
import { protectedFileNames, protectedInHome, protectedNames } from '../src/write/protected-names.js';
import { putFile } from '../src/write/put-file.js';
import { readStored } from '../src/write/stored-file.js';
import { expectFailure, leftIn, makeWorkspace, treeOf, writeToolsIn, type CallTool } from './write-ground.js';

const windows = process.platform === 'win32';
const linux = process.platform === 'linux';

/** All that the tools do at a path. */
async function attack(run: CallTool, path: string) {
  return [
    await run('edit_file', { path, old_text: 'text', new_text: 'hacked' }),
    await run('write_file', { path, content: 'hacked' }),
    await run('delete_file', { path }),
  ];
}

/** A workspace beside files that are not to change, and what is in it is known. */
function makeTarget(options: Parameters<typeof makeWorkspace>[1] = {}) {
  const made = makeWorkspace({ 'a/b/file': 'text', file: 'text' }, options);
  const outside = join(made.folder, 'outside');
  for (const place of ['', 'a', 'a/b', 'workspace']) {
    mkdirSync(join(outside, place), { recursive: true });
    writeFileSync(join(outside, place, 'file'), 'text');
  }
  writeFileSync(join(made.folder, 'file'), 'text');
  mkdirSync(join(made.folder, 'workspace2'));
  return { ...made, outside, unchanged: () => treeOf(made.folder, made.workspace) };
}

describe('no path leads out', () => {
  test('PSA-22: whatever paths are made of, nothing outside of the workspace changes', async () => {
    const { run, folder, workspace, outside, unchanged } = makeTarget();
    const before = unchanged();
    if (!windows) {
      symlinkSync(outside, join(workspace, 'link'));
      symlinkSync('../outside/file', join(workspace, 'a', 'link-file'));
      symlinkSync('../outside/new-file', join(workspace, 'dangling'));
      symlinkSync('..', join(workspace, 'up'));
      symlinkSync('/', join(workspace, 'root'));
    }
    const names = ['a', 'b', 'file', 'link', 'link-file', 'dangling', 'up', 'root', 'new', 'outside', 'workspace2'];
    const tricks = [
      '..',
      '.',
      '',
      '/',
      '//',
      '\\',
      '\0',
      '\uFF0E\uFF0E',
      '%2e%2e',
      '...',
      '..\\',
      ' ',
      '..\u200B',
      '~',
    ];
    const piece = fc.constantFrom(...names, ...tricks, folder, workspace, outside, '/proc/self/cwd', '/proc/self/fd/0');
    const call = fc.record({
      name: fc.constantFrom('write_file', 'edit_file', 'delete_file'),
      pieces: fc.array(piece, { minLength: 1, maxLength: 6 }),
      glue: fc.constantFrom('/', '/', '/', '', '\\'),
    });
    const inputs = { write_file: { content: 'hacked text' }, edit_file: { old_text: 'text', new_text: 'hacked' } };
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 10 }), async (calls) => {
        for (const { name, pieces, glue } of calls) {
          const path = pieces.join(glue);
          const result = await run(name, { path, ...(name === 'delete_file' ? {} : inputs[name as 'write_file']) });
          if (!result.ok) expect(codes, path).toContain(result.error?.code);
        }
        expect(unchanged()).toEqual(before);
      }),
      { numRuns: 200 },
    );
    expect(leftIn(workspace)).toEqual([]);
  });

  const codes = ['FILE_NOT_FOUND', 'PATH_TRAVERSAL_BLOCKED', 'INVALID_INPUT', 'TEXT_NOT_FOUND', 'FILE_PROTECTED'];

  test('PSA-22: paths that lead out are refused by their words', async () => {
    const { run, folder, workspace, unchanged } = makeTarget();
    const before = unchanged();
    const paths = [
      '..',
      '../file',
      'a/../../file',
      folder,
      join(folder, 'file'),
      `${workspace}/../file`,
      'file\0',
      'a/..',
    ];
    for (const path of [...paths, join(folder, 'workspace2/file'), '/etc/passwd']) {
      for (const result of await attack(run, path)) expectFailure(result, 'PATH_TRAVERSAL_BLOCKED');
    }
    expect(unchanged()).toEqual(before);
  });

  test.skipIf(windows)('PSA-22: no link is followed or replaced, in whatever place of a path', async () => {
    const { run, workspace, outside, folder } = makeTarget();
    symlinkSync(outside, join(workspace, 'folder'));
    symlinkSync('a', join(workspace, 'inside'));
    symlinkSync(join(outside, 'file'), join(workspace, 'link'));
    symlinkSync('file', join(workspace, 'link-inside'));
    symlinkSync(join(outside, 'new'), join(workspace, 'dangling'));
    symlinkSync('loop', join(workspace, 'loop'));
    const before = treeOf(folder);
    const paths = ['folder/file', 'folder/new', 'folder/a/b/file', 'inside/b/file', 'inside/new/file', 'folder'];
    for (const path of [...paths, 'link', 'link-inside', 'dangling', 'loop', 'loop/file']) {
      for (const result of await attack(run, path)) expectFailure(result, 'PATH_TRAVERSAL_BLOCKED');
    }
    expect(treeOf(folder)).toEqual(before);
  });

  test.skipIf(windows)(
    'a workspace that is reached through a link is written to, and one that became a link is not',
    async () => {
      const { workspace, outside, folder } = makeTarget();
      const named = join(folder, 'named');
      symlinkSync(workspace, named);
      const run = writeToolsIn(named);
      expect((await run('write_file', { path: 'new', content: '' })).ok).toBe(true);
      expect((await run('write_file', { path: join(named, 'new2'), content: '' })).ok).toBe(true);
      expect((await run('write_file', { path: join(workspace, 'new3'), content: '' })).ok).toBe(true);
      expect(readdirSync(workspace).toSorted()).toEqual(['a', 'file', 'new', 'new2', 'new3']);
      rmSync(named);
      symlinkSync(outside, named);
      const before = treeOf(outside);
      for (const result of await attack(run, 'file')) expectFailure(result, 'PATH_TRAVERSAL_BLOCKED');
      expect(treeOf(outside)).toEqual(before);
    },
  );

  test.skipIf(windows)('a workspace that is yet to be made stays where it was written to first', async () => {
    const { folder, outside } = makeTarget();
    const later = join(folder, 'later');
    const run = writeToolsIn(later);
    expectFailure(await run('write_file', { path: 'file', content: '' }), 'FILE_NOT_FOUND');
    mkdirSync(later);
    expect((await run('write_file', { path: 'file', content: '' })).ok).toBe(true);
    rmSync(later, { recursive: true });
    symlinkSync(outside, later);
    const before = treeOf(outside);
    for (const result of await attack(run, 'file')) expectFailure(result, 'PATH_TRAVERSAL_BLOCKED');
    expect(treeOf(outside)).toEqual(before);
  });

  test('a name that is too long for a file is told as such', async () => {
    const { run } = makeTarget();
    for (const path of ['x'.repeat(300), `${'x'.repeat(300)}/file`]) {
      const result = await run('write_file', { path, content: '' });
      expectFailure(result, windows ? 'FILE_NOT_FOUND' : 'INVALID_INPUT');
    }
  });

  test('a name that is no Unicode, which a disk would write as another one, is refused', async () => {
    const { run, unchanged, workspace } = makeTarget();
    const before = [unchanged(), treeOf(workspace)];
    for (const result of await attack(run, 'a/\uD800')) expectFailure(result, 'INVALID_INPUT');
    expect([unchanged(), treeOf(workspace)]).toEqual(before);
  });

  test.skipIf(windows)('nothing is written to a pipe, a socket or a device, and nobody waits for one', async () => {
    const { run, workspace } = makeTarget();
    expect(spawnSync('mkfifo', [join(workspace, 'pipe')]).status).toBe(0);
    const server = createServer().listen(join(workspace, 'socket'));
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const device = spawnSync('mknod', [join(workspace, 'device'), 'c', '1', '3']).status === 0 ? ['device'] : [];
    const before = treeOf(workspace);
    for (const path of ['pipe', 'socket', ...device]) {
      for (const result of await attack(run, path)) expectFailure(result, 'INVALID_INPUT');
    }
    expect(treeOf(workspace)).toEqual(before);
  });

  test('a file that has a name outside, too, is another one there from then on', async () => {
    const { run, workspace, outside, read } = makeTarget();
    for (const name of ['edited', 'written']) linkSync(join(outside, 'file'), join(workspace, name));
    const edited = await run('edit_file', { path: 'edited', old_text: 'text', new_text: 'new' });
    const written = await run('write_file', { path: 'written', content: 'new' });
    expect(edited.output).toMatchObject({ other_names: 2 });
    expect(edited.content).toContain('has 2 other names (hard links), under which it stays as it was');
    expect(written.output).toMatchObject({ other_names: 1 });
    expect([read('edited'), read('written')]).toEqual(['new', 'new']);
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('text');
  });
});

describe('protected places', () => {
  test.each([
    '.git/hooks/pre-commit',
    '.git/config',
    '.git',
    'sub/.git/config',
    '.GIT/config',
    '.Git',
    '.g\u200Cit/config',
    '.\uFF27\uFF29\uFF34/config',
    '.git./config',
    '.git /config',
    '.agents/config.json',
    '.agents/skills/pdf/SKILL.md',
    '.AGENTS/config.json',
    '.claude/settings.json',
    '.codex/config.toml',
    '.cursor/mcp.json',
    '.vscode/tasks.json',
    'deep/.vscode/tasks.json',
    '.idea/workspace.xml',
    '.devcontainer/devcontainer.json',
    '.husky/pre-commit',
    '.pre-commit-config.yaml',
    '.mcp.json',
    '.envrc',
    '.npmrc',
    'packages/a/.NPMRC',
    '.yarnrc.yml',
    'skillpack.json',
    'skillpack-lock.json',
    'GIT~1/config',
    'git~12',
    'sub/VSCODE~1/tasks.json',
    'DEVCON~1.JSO',
    'gi7eba~1/config',
    '.git::$INDEX_ALLOCATION/config',
    '.envrc::$DATA',
    'lefthook-local.toml',
    '.config/lefthook.json',
    '.vimrc',
    'opencode.json',
    'HEAD',
    'any/folder/Head',
  ])('%j is neither written nor deleted', async (path) => {
    const { run, folder, workspace } = makeTarget();
    for (const there of [false, true]) {
      if (there) {
        mkdirSync(join(workspace, dirname(path)), { recursive: true });
        writeFileSync(join(workspace, path), 'text');
      }
      const before = treeOf(folder);
      for (const result of await attack(run, path)) expectFailure(result, 'FILE_PROTECTED');
      for (const result of await attack(run, join(workspace, path))) expectFailure(result, 'FILE_PROTECTED');
      expect(treeOf(folder)).toEqual(before);
    }
  });

  test.each([
    '.gitignore',
    '.github/workflows/ci.yml',
    '.env',
    'git/config',
    '.gitattributes',
    'agents/a',
    'digit~1/a',
    'git~a',
    'devcon~1.txt',
    'notes.md~1',
    'HEAD/a',
    'head.ts',
    'config',
    'bin/a',
    '.bashrc',
  ])('%j is a file as any other', async (path) => {
    const { run } = makeTarget();
    expect((await run('write_file', { path, content: 'text' })).ok).toBe(true);
  });

  test('what Git takes for a repository is neither written to nor made, whatever it is called', async () => {
    const { run, workspace } = makeTarget();
    const pwned = join(workspace, 'pwned');
    const config = `[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = touch ${pwned}; false\n`;
    for (const [path, content] of [
      ['made/objects/a', ''],
      ['made/refs/a', ''],
      ['made/config', config],
      ['made/HEAD', 'ref: refs/heads/main\n'],
    ] as const) {
      await run('write_file', { path, content });
    }
    if (spawnSync('git', ['init', '--quiet', '--bare', join(workspace, 'there')]).status === 0) {
      for (const path of ['there/config', 'there/hooks/pre-push', 'there/refs/heads/new/a']) {
        expectFailure(await run('write_file', { path, content: config }), 'FILE_PROTECTED');
      }
    }
    mkdirSync(join(workspace, 'worktree'));
    for (const name of ['HEAD', 'commondir']) writeFileSync(join(workspace, 'worktree', name), '..');
    expectFailure(await run('write_file', { path: 'worktree/config', content: config }), 'FILE_PROTECTED');
    for (const folder of ['made', 'there']) spawnSync('git', ['status'], { cwd: join(workspace, folder) });
    expect(existsSync(pwned)).toBe(false);
  });

  test('a caller protects further names and paths', async () => {
    const { run } = makeTarget({ protectedPaths: ['.env', '.github/workflows', 'A/B'] });
    for (const path of ['.env', 'a/.ENV', '.github/workflows/ci.yml', 'a/b/file', 'a/b', 'A/b/new']) {
      expectFailure(await run('write_file', { path, content: '' }), 'FILE_PROTECTED');
    }
    for (const path of ['.env.example', '.github/other', 'sub/.github/workflows/ci.yml', 'a/c']) {
      expect((await run('write_file', { path, content: '' })).ok, path).toBe(true);
    }
  });

  test('folders of skills and runs are protected, by whatever path they are named, as long as they are named', async () => {
    const folders: string[] = [];
    const { run, workspace } = makeTarget({ protected: () => folders });
    const path = 'a/b/file';
    if (!windows) symlinkSync('a/b', join(workspace, 'skill'));
    folders.push(join(workspace, windows ? 'a/b' : 'skill'), join(workspace, 'runs/of/agents'));
    for (const kept of [path, 'a/b/new', 'A/B/file', 'runs/of/agents/r1/events.jsonl', 'runs', 'runs/of/agents']) {
      expectFailure(await run('write_file', { path: kept, content: '' }), 'FILE_PROTECTED');
    }
    expect(existsSync(join(workspace, 'runs'))).toBe(false);
    expect((await run('write_file', { path: 'a/other', content: '' })).ok).toBe(true);
    folders.length = 0;
    expect((await run('write_file', { path, content: '' })).ok).toBe(true);
    // What cannot be looked at is compared by its name.
    folders.push(`${workspace}/${'x'.repeat(5_000)}`);
    expect((await run('write_file', { path, content: 'y' })).ok).toBe(true);
    folders.push('relative');
    expectFailure(await run('write_file', { path, content: 'x' }), 'USAGE');
  });

  test('a protected file is one under a further name, too', async () => {
    const { workspace } = makeTarget();
    linkSync(join(workspace, 'file'), join(workspace, 'a/alias'));
    const run = writeToolsIn(workspace, { protected: () => [join(workspace, 'file')] });
    for (const result of await attack(run, 'a/alias')) expectFailure(result, 'FILE_PROTECTED');
  });

  test.skipIf(spawnSync('mount', ['--help']).status !== 0 || process.getuid?.() !== 0)(
    'a protected folder is one under another name, too',
    async ({ skip }) => {
      const { workspace } = makeTarget();
      const [kept, alias] = [join(workspace, 'kept'), join(workspace, 'alias')];
      mkdirSync(kept);
      mkdirSync(alias);
      if (spawnSync('mount', ['--bind', kept, alias]).status !== 0) skip('nothing may be mounted here');
      onTestFinished(() => void spawnSync('umount', [alias]));
      const run = writeToolsIn(workspace, { protected: () => [kept] });
      expectFailure(await run('write_file', { path: 'alias/file', content: '' }), 'FILE_PROTECTED');
      expectFailure(await run('write_file', { path: 'alias/new/file', content: '' }), 'FILE_PROTECTED');
      expect(readdirSync(kept)).toEqual([]);
    },
  );

  test('in a home, dot-files and folders of programs are protected; in a workspace within them, files are not', async () => {
    const { folder, workspace } = makeTarget();
    const home = join(workspace, 'home');
    mkdirSync(join(home, '.local/src/project'), { recursive: true });
    for (const root of [workspace, home]) {
      const run = writeToolsIn(root, { home });
      for (const path of ['.bashrc', '.ssh/authorized_keys', '.config/autostart/a', 'bin/ls', '.local/src/project/a']) {
        expectFailure(await run('write_file', { path: join(home, path), content: '' }), 'FILE_PROTECTED');
      }
      expect((await run('write_file', { path: join(home, 'project/.bashrc'), content: '' })).ok).toBe(true);
      expect((await run('write_file', { path: join(home, 'notes.md'), content: '' })).ok).toBe(true);
    }
    const within = writeToolsIn(join(home, '.local/src/project'), { home });
    expect((await within('write_file', { path: 'a', content: '' })).ok).toBe(true);
    if (windows) return;
    symlinkSync(home, join(folder, 'linked-home'));
    const linked = writeToolsIn(home, { home: join(folder, 'linked-home') });
    expectFailure(await linked('write_file', { path: '.profile', content: '' }), 'FILE_PROTECTED');
  });
});

// Exchanges something for a link and back, as fast as it can, until it is ended. Where nothing was for a moment, somebody
// else may have made something.
const swapper = `
  const { renameSync, rmSync, symlinkSync } = require('node:fs');
  const [path, aside, target] = process.argv.slice(1);
  const put = (work) => {
    for (;;) {
      try { rmSync(path, { recursive: true, force: true }); work(); return; } catch {}
    }
  };
  process.stdout.write('ready\\n');
  for (;;) {
    // It may have been deleted, and is made again.
    try { renameSync(path, aside); } catch { continue; }
    put(() => symlinkSync(target, path));
    put(() => renameSync(aside, path));
  }
`;

async function swapping(path: string, aside: string, target: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['-e', swapper, path, aside, target], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return async () => {
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
}

const attempts = process.env['SKILLPACK_LONG_TESTS'] === undefined ? 400 : 10_000;

describe.runIf(linux)('while another process exchanges something for a link all the time', () => {
  test.each([
    ['a folder', 'a', 'a/b/file'],
    ['a folder in a folder', 'a/b', 'a/b/file'],
    ['a folder for new files', 'a/b', 'a/b/new/file'],
    ['the file', 'a/b/file', 'a/b/file'],
  ])('PSA-22: nothing is changed behind it (%s)', { timeout: 300_000 }, async (_, part, path) => {
    const { run, workspace, outside, unchanged } = makeTarget();
    const before = unchanged();
    const end = await swapping(join(workspace, part), join(workspace, 'aside'), join(outside, part));
    const seen = new Map<string, number>();
    const deadline = Date.now() + 120_000;
    // Until both were met, however seldom one of the two processes has its turn.
    const enough = (): boolean => (seen.get('done') ?? 0) > 20 && (seen.get('PATH_TRAVERSAL_BLOCKED') ?? 0) > 20;
    for (let turn = 0; (turn < attempts || !enough()) && Date.now() < deadline; turn += 1) {
      const results = [
        await run('write_file', { path, content: `text ${turn}` }),
        await run('edit_file', { path, old_text: 'text', new_text: 'hacked' }),
        turn % 4 === 0 ? await run('delete_file', { path }) : await run('write_file', { path, content: 'text' }),
      ];
      for (const { ok, error } of results) {
        const what = ok ? 'done' : (error?.code ?? '');
        seen.set(what, (seen.get(what) ?? 0) + 1);
      }
    }
    await end();
    expect(unchanged()).toEqual(before);
    expect(enough(), JSON.stringify([...seen])).toBe(true);
    expect(leftIn(workspace)).toEqual([]);
  });

  test('PSA-22: nothing is changed behind the workspace itself', { timeout: 300_000 }, async () => {
    const { run, folder, workspace, outside } = makeTarget();
    const before = treeOf(outside);
    const end = await swapping(workspace, join(folder, 'aside'), outside);
    const seen = new Map<string, number>();
    const deadline = Date.now() + 120_000;
    const enough = (): boolean => (seen.get('done') ?? 0) > 20 && (seen.get('PATH_TRAVERSAL_BLOCKED') ?? 0) > 20;
    for (let turn = 0; (turn < attempts || !enough()) && Date.now() < deadline; turn += 1) {
      const { ok, error } = await run('write_file', { path: 'a/b/file', content: `text ${turn}` });
      const what = ok ? 'done' : (error?.code ?? '');
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }
    await end();
    expect(treeOf(outside)).toEqual(before);
    expect(enough(), JSON.stringify([...seen])).toBe(true);
  });
});

const free: PlaceGuard = { judge: () => undefined, judgeEntry: () => undefined };

describe.each(linux ? [true, false] : [false])('with descriptors: %j, which other systems have not', (byDescriptor) => {
  const bytes = new TextEncoder().encode('new');
  const { signal } = new AbortController();

  async function put(folder: string, path: string, before: () => void = () => undefined, guard = free): Promise<void> {
    await withHeldParent({ folder, path }, { guard, make: true, byDescriptor }, async (parent) => {
      const previous = readStored(parent, path, 1_000);
      before();
      await putFile(parent, { path, bytes, previous, signal });
    });
  }

  test('files are written, new and in the place of others', async () => {
    const { workspace, read } = makeTarget();
    await put(workspace, 'a/b/file');
    await put(workspace, 'new/deep/file');
    expect([read('a/b/file'), read('new/deep/file')]).toEqual(['new', 'new']);
    expect(leftIn(workspace)).toEqual([]);
  });

  test.skipIf(windows).each([
    ['a', 'a/b/file'],
    ['a/b', 'a/b/file'],
    ['a/b', 'a/b/new'],
    ['a/b', 'a/b/new/file'],
  ])('PSA-22: where %j became a link or went away before %j is in place, nothing is changed', async (part, path) => {
    const { workspace, outside, folder } = makeTarget();
    symlinkSync(outside, join(workspace, 'link'));
    await expect(put(workspace, 'link/file')).rejects.toMatchObject({ code: 'PATH_TRAVERSAL_BLOCKED' });
    const place = join(workspace, part);
    for (const aside of [join(workspace, 'aside'), join(folder, 'aside')]) {
      const before = treeOf(folder);
      for (const comes of [() => symlinkSync(join(outside, part), place), () => mkdirSync(place), () => undefined]) {
        const exchange = (): void => {
          renameSync(place, aside);
          comes();
        };
        await expect(put(workspace, path, exchange)).rejects.toMatchObject({ code: expect.stringMatching(refusals) });
        expect(leftIn(folder)).toEqual([]);
        rmSync(place, { recursive: true, force: true });
        renameSync(aside, place);
        // Without descriptors, what was made and moved away is not found again.
        if (!byDescriptor) rmSync(join(workspace, 'a/b/new'), { recursive: true, force: true });
        expect(treeOf(folder)).toEqual(before);
      }
    }
  });

  test.skipIf(windows)('PSA-22: nothing is read where a folder above the workspace became a link', async () => {
    const { folder } = makeWorkspace({ 'up/work/a/file': 'text', 'elsewhere/work/a/file': 'secret' });
    const up = join(folder, 'workspace/up');
    const before = treeOf(join(folder, 'workspace/elsewhere'));
    // It is asked once the path is read, and before anything is held.
    const judge = (): void => {
      if (existsSync(`${up}.aside`)) return;
      renameSync(up, `${up}.aside`);
      symlinkSync('elsewhere', up);
    };
    const attempt = withHeldParent(
      { folder: join(up, 'work'), path: 'a/file' },
      { guard: { ...free, judge }, make: true, byDescriptor },
      async (parent) => readStored(parent, 'a/file', 1_000),
    );
    await expect(attempt).rejects.toMatchObject({ code: 'PATH_TRAVERSAL_BLOCKED' });
    expect(treeOf(join(folder, 'workspace/elsewhere'))).toEqual(before);
  });

  // Without descriptors, there may be no folder in which it is begun.
  const refusals = byDescriptor ? /^PATH_TRAVERSAL_BLOCKED$/u : /^(?:PATH_TRAVERSAL_BLOCKED|IO_ERROR)$/u;

  test.skipIf(byDescriptor)(
    'a place is judged by its real name, too, before anything is made or replaced',
    async () => {
      const { workspace } = makeTarget();
      const judged: string[] = [];
      const guard: PlaceGuard = { ...free, judge: ({ components }) => void judged.push(components.join('/')) };
      await put(workspace, 'a/new/file', undefined, guard);
      expect(judged).toEqual(['a/new/file', 'a/new', 'a/new/file']);
      judged.length = 0;
      await put(workspace, 'a/b/file', undefined, guard);
      expect(judged).toEqual(['a/b/file', 'a/b/file', 'a/b/file']);
    },
  );
});

test('the page names all that is protected', () => {
  const page = readFileSync(new URL('../../../docs/tools.md', import.meta.url), 'utf8').toLowerCase();
  expect(
    [...protectedNames, ...protectedFileNames, ...protectedInHome].filter((name) => !page.includes(`\`${name}\``)),
  ).toEqual([]);
});
