import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeRunFolder } from './run-folder.js';
import { removeStaleRunFolders } from './stale-run-folders.js';

const windows = process.platform === 'win32';
const twoDays = 2 * 24 * 60 * 60 * 1000;

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'skillpack-stale-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The id of a process that has ended. */
function goneId(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

function age(path: string): void {
  const then = new Date(Date.now() - twoDays);
  utimesSync(path, then, then);
}

test('the folder of a run whose process was killed is removed, with all that is in it', async () => {
  const folder = temporaryFolder();
  const left = join(folder, `skillpack-run-${goneId()}-aB3xYz`);
  mkdirSync(join(left, 'deep', 'er'), { recursive: true });
  writeFileSync(join(left, 'deep', 'file'), '');
  age(left);
  await removeStaleRunFolders(folder);
  expect(readdirSync(folder)).toEqual([]);
});

test.skipIf(windows)('what is in use, is new, or is something else stays', async () => {
  const folder = temporaryFolder();
  const gone = goneId();
  const outside = join(temporaryFolder(), 'outside');
  mkdirSync(outside);
  const old = [
    `skillpack-run-${process.pid}-aB3xYz`,
    `skillpack-run-1-aB3xYz`,
    `other-run-${gone}-aB3xYz`,
    `skillpack-run-aB3xYz`,
  ];
  const stays = [...old, `skillpack-run-${gone}-link`, `skillpack-run-${gone}-file`, `skillpack-run-${gone}-new`];
  for (const name of [...old, `skillpack-run-${gone}-new`]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, `skillpack-run-${gone}-file`), '');
  symlinkSync(outside, join(folder, `skillpack-run-${gone}-link`));
  for (const name of [...old, `skillpack-run-${gone}-file`]) age(join(folder, name));
  age(outside);
  await removeStaleRunFolders(folder);
  expect(readdirSync(folder).toSorted()).toEqual(stays.toSorted());
  expect(existsSync(outside)).toBe(true);
  await removeStaleRunFolders(join(folder, 'is-not-there'));
});

test('a folder of a run names the process that made it', () => {
  const folder = makeRunFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(folder).toContain(`skillpack-run-${process.pid}-`);
});
