import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readArchive } from './read-archive.js';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'read-archive-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('an archive that is too large is refused as an install refuses it', () => {
  const path = join(dir, 'large.tgz');
  writeFileSync(path, '');
  truncateSync(path, 64 * 1024 * 1024 + 1);
  expect(() => readArchive(path)).toThrow(
    expect.objectContaining({
      code: 'ARCHIVE_REFUSED',
      message: `${path} has 67108865 bytes; an archive may have 67108864.`,
      data: { path, reason: 'archive-too-large', size: 67_108_865, limit: 67_108_864 },
    }),
  );
});

test('one that is not there is not found', () => {
  expect(() => readArchive(join(dir, 'no.tgz'))).toThrow(expect.objectContaining({ code: 'FILE_NOT_FOUND' }));
});
