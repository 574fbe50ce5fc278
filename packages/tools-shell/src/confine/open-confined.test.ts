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
      let what: string;
      try {
        what = read(folder, 'a/file');
        const listed = readConfinedFolder({ path: join(folder, 'a') });
        if (listed.some(({ name }) => name === 'other')) what = 'outside';
      } catch (error) {
        what = SkillsError.is(error) ? error.code : String(error);
      }
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }
    Atomics.store(stop, 0, 1);
    await ended;
    expect([...seen.keys()].filter((what) => !allowed.has(what))).toEqual([]);
    expect(enough(), JSON.stringify([...seen, Atomics.load(stop, 1)])).toBe(true);
  },
);

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
