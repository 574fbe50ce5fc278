import { execFileSync } from 'node:child_process';
import { chmod, link, mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scripted } from '@skillpack/model-adapters';
import { systemClock } from '@skillpack/runs-fs';
import { expect, test } from 'vitest';
import { planEvals, runEvals } from '../src/index.js';
import { temporaryWorkspaces } from '../src/node.js';
import {
  answer,
  choose,
  diskGround,
  makeCase,
  makePorts,
  makeSuite,
  scriptedModels,
  smallCatalogue,
  triggerCase,
} from './trial-ground.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const freshFolder = async (): Promise<string> => mkdtemp(join(tmpdir(), 'spaces-'));

test('a workspace has the files of its case, for its owner alone, and goes when it is let go', async () => {
  const folder = await freshFolder();
  const spaces = temporaryWorkspaces({ folder });
  {
    await using one = await spaces.open([{ path: 'in/a.txt', bytes: bytes('a') }]);
    await using two = await spaces.open([]);
    expect(one.path).not.toBe(two.path);
    expect(one.path).toBe(await realpath(one.path));
    expect(await one.files()).toEqual([{ path: 'in/a.txt', size: 1 }]);
    expect(await one.read('in/a.txt', { maxBytes: 1 })).toEqual(bytes('a'));
    expect(await two.files()).toEqual([]);
    if (process.platform !== 'win32') expect((await stat(one.path)).mode & 0o077).toBe(0);
  }
  expect(await readdir(folder)).toEqual([]);
});

test('a path that leads out of a workspace, or is there twice, is refused, and leaves nothing behind', async () => {
  const folder = await freshFolder();
  const spaces = temporaryWorkspaces({ folder });
  const wrong = ['../x', '/etc/x', 'a/../../x', 'C:\\x', 'a\\b', '', 'a//b', './a', 'a\u0000b', '.git/hooks/x', 'con'];
  for (const path of wrong) {
    await expect(
      spaces.open([
        { path: 'fine', bytes: bytes('') },
        { path, bytes: bytes('x') },
      ]),
    ).rejects.toMatchObject({
      code: 'INVALID_CASE',
    });
  }
  const twice = [
    { path: 'A', bytes: bytes('') },
    { path: 'a', bytes: bytes('') },
  ];
  await expect(spaces.open(twice)).rejects.toThrow('it is there twice');
  await expect(
    spaces.open([
      { path: 'a', bytes: bytes('') },
      { path: 'a/b', bytes: bytes('') },
    ]),
  ).rejects.toMatchObject({
    code: 'IO_ERROR',
  });
  expect(await readdir(folder)).toEqual([]);
});

test('nothing outside of a workspace is read through it', async () => {
  const outside = await freshFolder();
  await writeFile(join(outside, 'secret'), 'secret');
  await using space = await temporaryWorkspaces().open([{ path: 'dir/a', bytes: bytes('a') }]);
  await symlink(join(outside, 'secret'), join(space.path, 'file-link'));
  await symlink(outside, join(space.path, 'dir-link'));
  await symlink(join(space.path, 'dir'), join(space.path, 'inner-link'));
  expect((await space.files()).map(({ path }) => path)).toEqual(['dir/a']);
  const blocked = ['../secret', 'file-link', 'dir-link/secret', 'inner-link/a', `${outside}/secret`, 'dir/./a', ''];
  for (const path of blocked) {
    await expect(space.read(path, { maxBytes: 100 })).rejects.toMatchObject({ code: 'PATH_TRAVERSAL_BLOCKED' });
  }
  for (const path of ['none', 'dir', 'dir/a/b']) {
    await expect(space.read(path, { maxBytes: 100 })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  }
  await link(join(space.path, 'dir/a'), join(space.path, 'hard'));
  expect(await space.read('hard', { maxBytes: 1 })).toEqual(bytes('a'));
});

test('a file that is too large is not read, and a pipe is not waited for', async () => {
  await using space = await temporaryWorkspaces().open([{ path: 'a', bytes: bytes('12345') }]);
  await expect(space.read('a', { maxBytes: 4 })).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  expect(await space.read('a', { maxBytes: 5 })).toHaveLength(5);
  if (process.platform === 'win32') return;
  execFileSync('mkfifo', [join(space.path, 'pipe')]);
  await expect(space.read('pipe', { maxBytes: 4 })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect((await space.files()).map(({ path }) => path)).toEqual(['a']);
});

test('a workspace goes also where rights were taken from what is in it, or it is gone already', async () => {
  const folder = await freshFolder();
  const spaces = temporaryWorkspaces({ folder });
  const one = await spaces.open([{ path: 'a/b/c', bytes: bytes('x') }]);
  await chmod(join(one.path, 'a/b'), 0o000);
  await chmod(join(one.path, 'a'), 0o500);
  await one[Symbol.asyncDispose]();
  const two = await spaces.open([]);
  await rm(two.path, { recursive: true });
  await two[Symbol.asyncDispose]();
  expect(await readdir(folder)).toEqual([]);
});

test('a workspace goes also where it is deeper than any path can say', async () => {
  const folder = await freshFolder();
  const space = await temporaryWorkspaces({ folder }).open([]);
  const dig = `
    const { chdir } = require('node:process'); const { mkdirSync, writeFileSync, chmodSync } = require('node:fs');
    for (let depth = 0; depth < 400; depth += 1) { const name = 'd'.repeat(50); mkdirSync(name); writeFileSync('f', ''); chdir(name); }
    chmodSync('.', 0o500);`;
  execFileSync(process.execPath, ['-e', dig], { cwd: space.path });
  expect((await space.files()).length).toBeLessThan(400);
  await space[Symbol.asyncDispose]();
  expect(await readdir(folder)).toEqual([]);
});

test('nothing outside of a workspace is listed, or removed, where an agent put a link in its place', async () => {
  const folder = await freshFolder();
  const outside = join(await freshFolder(), 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'private.txt'), 'x');
  const space = await temporaryWorkspaces({ folder }).open([{ path: 'a', bytes: bytes('x') }]);
  await rm(space.path, { recursive: true });
  await symlink(outside, space.path);
  expect(await space.files()).toEqual([]);
  await expect(space.read('private.txt', { maxBytes: 9 })).rejects.toMatchObject({ code: 'PATH_TRAVERSAL_BLOCKED' });
  await space[Symbol.asyncDispose]();
  expect(await readdir(folder)).toEqual([]);
  expect(await readdir(outside)).toEqual(['private.txt']);
});

test('a workspace that is to be kept is left, and options that there are not are refused', async () => {
  const folder = await freshFolder();
  const space = await temporaryWorkspaces({ folder, keep: true }).open([{ path: 'a', bytes: bytes('x') }]);
  await space[Symbol.asyncDispose]();
  expect(await readdir(space.path)).toEqual(['a']);
  expect(() => temporaryWorkspaces({ kept: true } as never)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  await expect(temporaryWorkspaces({ folder: join(folder, 'none') }).open([])).rejects.toMatchObject({
    code: 'IO_ERROR',
  });
});

test('each trial has a workspace of its own, and none is left, whatever became of it', async () => {
  const folder = await freshFolder();
  const write = (content: string) =>
    ({ action: { kind: 'call_tool', tool: 'write_file', input: { path: 'note.txt', content } } }) as const;
  const script = (content: string) => ({
    formatVersion: 1,
    replies: [{ decide: write(content).action }, { decide: { kind: 'final_answer', content: 'x' } }],
  });
  const fileIs = (value: string) =>
    ({ kind: 'equals', of: { kind: 'file', path: 'note.txt' }, value, caseless: false, negated: false }) as const;
  const task = (id: string) =>
    makeCase({
      id,
      trials: 2,
      script: script(id),
      expected: { actions: [], output: [fileIs(id)], disclosure: true, approvals: true },
    });
  const failing = makeCase({ id: 'fails', script: { formatVersion: 1, replies: [{ fail: 'UNAUTHORIZED' }] } });
  const suites = [makeSuite([task('one'), task('two'), failing])];
  const ports = makePorts({ ground: diskGround({ folder }), registry: smallCatalogue() });
  const plan = await planEvals(suites, ports, { models: ['m'] });
  const { results } = await runEvals({ suites, plan }, ports);
  expect(results.map(({ case: id, outcome, files }) => [id, outcome, files.length])).toEqual([
    ['one', 'passed', 1],
    ['two', 'passed', 1],
    ['fails', 'error', 0],
    ['one', 'passed', 1],
    ['two', 'passed', 1],
  ]);
  expect(await readdir(folder)).toEqual([]);
});

test('files that a trial left are those that are new, or not as they were', async () => {
  const write = (path: string, content: string) => ({
    decide: { kind: 'call_tool', tool: 'write_file', input: { path, content } },
  });
  const evalCase = makeCase({
    id: 'writes',
    files: [
      { path: 'same.txt', bytes: bytes('as it was') },
      { path: 'other.txt', bytes: bytes('before') },
    ],
    script: {
      formatVersion: 1,
      replies: [
        write('new.txt', 'new'),
        { decide: { kind: 'call_tool', tool: 'read_file', input: { path: 'other.txt' } } },
        write('other.txt', 'beyond'),
        { decide: { kind: 'final_answer', content: 'x' } },
      ],
    },
  });
  const suites = [makeSuite([evalCase])];
  const ports = makePorts({ ground: diskGround() });
  const plan = await planEvals(suites, ports, { models: ['m'] });
  const [result] = (await runEvals({ suites, plan }, ports)).results;
  expect(result?.files).toEqual([
    { path: 'new.txt', size: 3 },
    { path: 'other.txt', size: 6 },
  ]);
});

test('a choice is made with the files of its case at hand', async () => {
  const models = scriptedModels([{ action: { kind: 'call_tool', tool: 'list_dir', input: {} } }, choose('pdf')]);
  const evalCase = triggerCase('choice', { allOf: ['pdf'] }, { files: [{ path: 'scan.pdf', bytes: bytes('%PDF') }] });
  const suites = [makeSuite([evalCase])];
  const ports = makePorts({ ground: diskGround(), models });
  const plan = await planEvals(suites, ports, { models: ['m'] });
  const [result] = (await runEvals({ suites, plan }, ports)).results;
  expect(result?.outcome).toBe('passed');
  expect(models.requests[1]?.messages.at(-1)?.content).toContain('scan.pdf');
});

test('an agent that fills its workspace without end is listed to an end', async () => {
  await using space = await temporaryWorkspaces().open([]);
  let folder = space.path;
  for (let depth = 0; depth < 70; depth += 1) {
    folder = join(folder, 'd');
    await mkdir(folder);
    await writeFile(join(folder, 'f'), '');
  }
  expect((await space.files()).length).toBeLessThan(70);
});

test('a result says the same of a trial on every machine: places have names, and no path of this one', async () => {
  const results: string[] = [];
  for (const folder of [await freshFolder(), await freshFolder()]) {
    const seen: string[] = [];
    const inner = diskGround({ folder });
    const ground: typeof inner = {
      open: async (job, how) => {
        const opened = await inner.open(job, how);
        seen.push(opened.workspace.path);
        return opened;
      },
    };
    // The model says where it is, as models that have read it in a result of a tool do.
    const models = {
      open: async (_job: unknown, { workspace }: { readonly workspace: string }) => ({
        model: scripted([choose('pdf'), answer(`It is in ${workspace}/out.txt, not in ${workspace}2.`)]),
      }),
    };
    const suites = [makeSuite([makeCase({ id: 'where' })])];
    const ports = makePorts({ ground, models, clock: systemClock });
    const plan = await planEvals(suites, ports, { models: ['scripted'] });
    const [result] = (await runEvals({ suites, plan }, ports)).results;
    expect(seen).toHaveLength(1);
    expect(result?.answer).toBe(`It is in {workspace}/out.txt, not in ${seen[0]}2.`);
    const text = JSON.stringify(result);
    expect(text).toContain('path=\\"{skills}/pdf\\"');
    // How long it took, and how many tokens a random name is.
    const measured = /"(?:at|duration|start|tokens|inputTokens|outputTokens)":(?:"[^"]*"|\[[^\]]*\]|\d+)/gu;
    results.push(text.replaceAll(measured, '').replaceAll(`${seen[0]}2`, 'elsewhere'));
  }
  expect(results[0]).toBe(results[1]);
});
