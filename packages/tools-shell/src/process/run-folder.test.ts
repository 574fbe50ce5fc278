import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
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
