import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SkillsError, type ErrorCode } from '@skillpack/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRegularFile } from './read-regular-file.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'regular-'));
  path = join(folder, 'file');
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (maxBytes: number) => readRegularFile(path, { maxBytes });

function expectRefusal(maxBytes: number, code: ErrorCode): void {
  expect(() => read(maxBytes)).toThrow(expect.toSatisfy((error: unknown) => SkillsError.is(error, code)));
}

test.each([0, 1, 65_535, 65_536, 200_000])('a file of %d bytes is read whole, at its limit and not over it', (size) => {
  const bytes = Buffer.alloc(size, 'abc');
  writeFileSync(path, bytes);
  expect(read(size)?.equals(bytes)).toBe(true);
  if (size > 0) expectRefusal(size - 1, 'FILE_TOO_LARGE');
});

test('a file that is not there is none; a folder is no file', () => {
  expect(read(10)).toBeUndefined();
  mkdirSync(path);
  expectRefusal(10, 'IO_ERROR');
});

test('a file that is refused by its facts is not read', () => {
  writeFileSync(path, 'x');
  const check = () => {
    throw new SkillsError('CREDENTIALS_EXPOSED', 'No.');
  };
  expect(() => readRegularFile(path, { maxBytes: 10, check })).toThrow('No.');
});

test.skipIf(!existsSync('/dev/zero')).each(['/dev/zero', '/dev/null'])(
  'a link to the device %s is refused',
  (device) => {
    symlinkSync(device, path);
    expectRefusal(10, 'IO_ERROR');
  },
);

test.skipIf(process.platform === 'win32')('a FIFO is refused without waiting for whoever writes into it', () => {
  execFileSync('mkfifo', [path]);
  expectRefusal(10, 'IO_ERROR');
});

test.skipIf(!existsSync('/proc/self/maps'))('a file that says it is empty, and is not, is read to the limit', () => {
  symlinkSync('/proc/self/maps', path);
  expect(read(16 * 1024 * 1024)?.length).toBeGreaterThan(100);
  expectRefusal(100, 'FILE_TOO_LARGE');
});
