import { spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeWholeFile } from './write-whole-file.js';

const bytes = new TextEncoder().encode('all of it\n');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-whole-file-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('a file is replaced as a whole, and nothing is left beside it', async () => {
  const path = join(folder, 'report.json');
  writeFileSync(path, 'what was there before');
  await writeWholeFile(path, bytes);
  expect(readFileSync(path, 'utf8')).toBe('all of it\n');
  expect(readdirSync(folder)).toEqual(['report.json']);
});

test.skipIf(process.platform === 'win32')('a pipe is written to, and stays a pipe', async () => {
  const path = join(folder, 'pipe');
  expect(spawnSync('mkfifo', [path]).status).toBe(0);
  const [, text] = await Promise.all([writeWholeFile(path, bytes), readFile(path, 'utf8')]);
  expect(text).toBe('all of it\n');
  expect(lstatSync(path).isFIFO()).toBe(true);
});

test.skipIf(process.platform === 'win32')('a device is written to, and stays one', async () => {
  const { dev, ino } = lstatSync('/dev/null');
  await writeWholeFile('/dev/null', bytes);
  expect(lstatSync('/dev/null')).toMatchObject({ dev, ino });
});

test('a place that cannot be written to is an error, and leaves nothing', async () => {
  await expect(writeWholeFile(join(folder, 'missing', 'report.json'), bytes)).rejects.toMatchObject({
    code: 'IO_ERROR',
  });
  await expect(writeWholeFile(folder, bytes)).rejects.toMatchObject({ code: 'IO_ERROR' });
  expect(readdirSync(folder)).toEqual([]);
});
