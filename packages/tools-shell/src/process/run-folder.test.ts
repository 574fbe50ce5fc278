import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isMainThread, Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { makeRunFolder, removeRunFolder } from './run-folder.js';

const windows = process.platform === 'win32';
const nobody = 65_534;

/** How often others had their turn while it ran. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    turn = setImmediate(count);
  };
  let turn = setImmediate(count);
  await work.finally(() => clearImmediate(turn));
  return turns;
}

test('others run while many files are removed', async () => {
  const folder = makeRunFolder();
  for (let index = 0; index < 4_000; index += 1) writeFileSync(join(folder, String(index)), '');
  expect(await turnsDuring(removeRunFolder(folder))).toBeGreaterThan(100);
  await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false);
});

test.skipIf(windows)('folders are removed however deep they lie, and nothing that links lead to', async () => {
  const folder = makeRunFolder();
  const outside = makeRunFolder();
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  writeFileSync(join(outside, 'kept'), '');
  chmodSync(outside, 0o750);
  const deepen = `
    const { mkdirSync, symlinkSync, writeFileSync } = require('node:fs');
    for (let depth = 0; depth < 600; depth += 1) {
      mkdirSync('deep-folder'); mkdirSync('beside');
      writeFileSync('file', ''); symlinkSync(process.argv[1], 'link');
      process.chdir('deep-folder');
    }`;
  expect(spawnSync(process.execPath, ['-e', deepen, outside], { cwd: folder }).status).toBe(0);
  await removeRunFolder(folder);
  await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false);
  expect(readdirSync(outside)).toEqual(['kept']);
  expect(statSync(outside).mode & 0o777).toBe(0o750);
});

/** A folder that is not the run's, with a file in a folder in it, and what there is to say of it. */
function makeOutside() {
  const outside = makeRunFolder();
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  mkdirSync(join(outside, 'deep'));
  writeFileSync(join(outside, 'deep', 'kept'), '');
  chmodSync(outside, 0o750);
  const state = () => [statSync(outside).mode & 0o777, ...readdirSync(outside, { recursive: true })];
  return { outside, state, untouched: state() };
}

test.skipIf(windows)('a link in the place of the folder is removed, and not followed', async () => {
  const { outside, state, untouched } = makeOutside();
  const folder = makeRunFolder();
  rmSync(folder, { recursive: true });
  symlinkSync(outside, folder);
  await removeRunFolder(folder);
  expect(state()).toEqual(untouched);
  expect(lstatSync(folder, { throwIfNoEntry: false })).toBeUndefined();
});

test('a file in the place of the folder is removed, and nothing there is nothing to do', async () => {
  const folder = makeRunFolder();
  rmSync(folder, { recursive: true });
  await removeRunFolder(folder);
  writeFileSync(folder, '');
  await removeRunFolder(folder);
  expect(existsSync(folder)).toBe(false);
});

// Puts a link in the place of a folder, and the folder back again, as fast as it can.
const exchange = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const { workerData } = require('node:worker_threads');
  const { folder, aside, outside, stop } = workerData;
  const attempt = (work) => { try { work(); } catch {} };
  while (Atomics.load(stop, 0) === 0) {
    attempt(() => renameSync(folder, aside));
    attempt(() => symlinkSync(outside, folder));
    attempt(() => unlinkSync(folder));
    attempt(() => renameSync(aside, folder));
    Atomics.add(stop, 1, 1);
  }
`;

test.skipIf(process.platform !== 'linux').each(['', 'inner'])(
  'a folder that becomes a link while it is removed leads nowhere (%j)',
  { timeout: 120_000 },
  async (place) => {
    const { outside, state, untouched } = makeOutside();
    const [base, elsewhere] = [makeRunFolder(), makeRunFolder()];
    onTestFinished(() => {
      for (const folder of [base, elsewhere]) rmSync(folder, { recursive: true, force: true });
    });
    const top = join(base, 'top');
    const stop = new Int32Array(new SharedArrayBuffer(8));
    const workerData = { folder: join(top, place), aside: join(elsewhere, 'aside'), outside, stop };
    const worker = new Worker(exchange, { eval: true, workerData });
    const ended = new Promise((resolve) => {
      worker.once('exit', resolve);
    });
    await expect.poll(() => Atomics.load(stop, 1), { timeout: 60_000 }).toBeGreaterThan(0);
    const deadline = Date.now() + 60_000;
    let rounds = 0;
    while (rounds < 250 && Date.now() < deadline) {
      rounds += 1;
      const made = join(elsewhere, `made-${rounds}`);
      mkdirSync(join(made, place, 'below'), { recursive: true });
      writeFileSync(join(made, place, 'file'), '');
      try {
        renameSync(made, top);
      } catch {
        // There is still something, which is removed as well.
      }
      await removeRunFolder(top);
      expect(state(), `round ${rounds}`).toEqual(untouched);
    }
    Atomics.store(stop, 0, 1);
    await ended;
    expect(Math.min(rounds, Atomics.load(stop, 1))).toBeGreaterThan(50);
  },
);

// Nobody takes rights from root: root becomes somebody else for a moment.
test.skipIf(windows || (process.getuid?.() === 0 && !isMainThread))(
  'folders whose rights were taken away are removed',
  async () => {
    const root = process.getuid?.() === 0;
    if (root) process.seteuid?.(nobody);
    try {
      const folder = makeRunFolder();
      mkdirSync(join(folder, 'a/b/c'), { recursive: true });
      writeFileSync(join(folder, 'a/b/c/file'), '');
      symlinkSync('/', join(folder, 'a/link'));
      for (const path of ['a/b/c', 'a/b', 'a', '.']) chmodSync(join(folder, path), 0o000);
      expect(() => readdirSync(folder)).toThrow('EACCES');
      await removeRunFolder(folder);
      expect(existsSync(folder)).toBe(false);
    } finally {
      if (root) process.seteuid?.(0);
    }
  },
);
