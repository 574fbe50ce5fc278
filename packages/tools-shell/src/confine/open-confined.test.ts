import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { SkillsError } from '@skillpack/core';
import { expect, onTestFinished, test } from 'vitest';
import { findConfined } from './confined-entry.js';
import { withConfinedFile } from './open-confined.js';
import { readConfinedFolder } from './read-confined-folder.js';

const windows = process.platform === 'win32';

function makeFolders() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-confined-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [folder, outside] = [join(base, 'folder'), join(base, 'outside')];
  mkdirSync(join(folder, 'a'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(folder, 'a', 'file'), 'inside');
  writeFileSync(join(outside, 'file'), 'outside');
  writeFileSync(join(outside, 'other'), '');
  return { base, folder, outside };
}

const read = (folder: string, path: string): string =>
  withConfinedFile(folder, path, ({ descriptor }) => readFileSync(descriptor, 'utf8'));

// Exchanges a folder and a link with its name, as fast as it can.
const exchange = `
  const { renameSync } = require('node:fs');
  const { workerData } = require('node:worker_threads');
  const { folder, aside, link, stop } = workerData;
  while (Atomics.load(stop, 0) === 0) {
    renameSync(folder, aside); renameSync(link, folder);
    renameSync(folder, link); renameSync(aside, folder);
    Atomics.add(stop, 1, 1);
  }
`;

test.skipIf(process.platform !== 'linux')(
  'a folder that becomes a link and back again, at any moment, leads nowhere',
  { timeout: 120_000 },
  async () => {
    const { base, folder, outside } = makeFolders();
    const link = join(base, 'link');
    symlinkSync(outside, link);
    const stop = new Int32Array(new SharedArrayBuffer(8));
    const workerData = { folder: join(folder, 'a'), aside: join(base, 'aside'), link, stop };
    const worker = new Worker(exchange, { eval: true, workerData });
    const ended = new Promise((resolve) => {
      worker.once('exit', resolve);
    });
    const seen = new Map<string, number>();
    // Until every state was met often enough, however seldom this thread or the other one has its turn.
    const enough = (): boolean =>
      [...wanted].every((what) => (seen.get(what) ?? 0) >= 20) && Atomics.load(stop, 1) >= 500;
    const deadline = Date.now() + 100_000;
    while (!enough() && Date.now() < deadline) {
      const what = outcomeOf(() => {
        const text = read(folder, 'a/file');
        const listed = readConfinedFolder({ path: join(folder, 'a') });
        return listed.some(({ name }) => name === 'other') ? 'outside' : text;
      });
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }
    Atomics.store(stop, 0, 1);
    await ended;
    expect([...seen.keys()].filter((what) => !allowed.has(what))).toEqual([]);
    expect(enough(), JSON.stringify([...seen, Atomics.load(stop, 1)])).toBe(true);
  },
);

test.skipIf(process.platform !== 'linux')('a folder above that became a link is not listed', () => {
  const { base, folder, outside } = makeFolders();
  mkdirSync(join(folder, 'a', 'b'));
  mkdirSync(join(outside, 'b'));
  writeFileSync(join(folder, 'a', 'b', 'file'), '');
  writeFileSync(join(outside, 'b', 'other'), '');
  const found = findConfined(folder, 'a/b');
  expect(readConfinedFolder(found).map(({ name }) => name)).toEqual(['file']);
  renameSync(join(folder, 'a'), join(base, 'aside'));
  symlinkSync(outside, join(folder, 'a'));
  expect(readConfinedFolder(found)).toEqual([]);
});

// Exchanges a file and a pipe. Whoever opens the pipe and waits for a writer is given one, long after, and told.
const exchangePipe = `
  const { closeSync, constants, openSync, renameSync } = require('node:fs');
  const { workerData } = require('node:worker_threads');
  const { file, aside, pipe, stop } = workerData;
  let [seen, since] = [0, Date.now()];
  while (Atomics.load(stop, 0) === 0) {
    renameSync(file, aside); renameSync(pipe, file);
    const reads = Atomics.load(stop, 1);
    if (reads !== seen) [seen, since] = [reads, Date.now()];
    if (Date.now() - since > 15_000) {
      Atomics.store(stop, 2, 1);
      closeSync(openSync(file, constants.O_RDWR | constants.O_NONBLOCK));
    }
    renameSync(file, pipe); renameSync(aside, file);
  }
`;

test.skipIf(windows)(
  'a file that becomes a pipe at any moment keeps nobody waiting',
  { timeout: 120_000 },
  async () => {
    const { base, folder } = makeFolders();
    const pipe = join(base, 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const stop = new Int32Array(new SharedArrayBuffer(12));
    const workerData = { file: join(folder, 'a', 'file'), aside: join(base, 'aside'), pipe, stop };
    const worker = new Worker(exchangePipe, { eval: true, workerData });
    const ended = new Promise((resolve) => {
      worker.once('exit', resolve);
    });
    const seen = new Map<string, number>();
    const enough = (): boolean => ['inside', 'INVALID_INPUT'].every((what) => (seen.get(what) ?? 0) >= 2_000);
    const deadline = Date.now() + 60_000;
    while (!enough() && Atomics.load(stop, 2) === 0 && Date.now() < deadline) {
      Atomics.add(stop, 1, 1);
      const what = outcomeOf(() => read(folder, 'a/file'));
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }
    const waited = Atomics.load(stop, 2);
    Atomics.store(stop, 0, 1);
    await ended;
    expect(waited).toBe(0);
    expect([...seen.keys()].filter((what) => what !== 'INVALID_INPUT' && !allowed.has(what))).toEqual([]);
    expect(seen.get('inside'), JSON.stringify([...seen])).toBeGreaterThan(10);
  },
);

function outcomeOf(work: () => string): string {
  try {
    return work();
  } catch (error) {
    return SkillsError.is(error) ? error.code : String(error);
  }
}

const wanted: ReadonlySet<string> = new Set(['inside', 'PATH_TRAVERSAL_BLOCKED']);
const allowed: ReadonlySet<string> = new Set([...wanted, 'FILE_NOT_FOUND']);

test.skipIf(windows)('the folder itself may be reached through a link, by either of its names', () => {
  const { base, folder } = makeFolders();
  const named = join(base, 'named');
  symlinkSync(folder, named);
  expect(read(named, 'a/file')).toBe('inside');
  expect(read(named, join(named, 'a/file'))).toBe('inside');
  expect(read(named, join(folder, 'a/file'))).toBe('inside');
});

test('a folder that is gone holds nothing', () => {
  const { base, folder } = makeFolders();
  renameSync(folder, join(base, 'elsewhere'));
  expect(() => read(folder, 'a/file')).toThrow(expect.objectContaining({ code: 'FILE_NOT_FOUND' }));
});
