import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SkillsError, defaultArchiveLimits, type ArchiveFile, type ArchiveLimits } from '@skillpack/core';
import { createArchiveReader } from '../../src/index.js';
import { asFile } from './as-file.js';
import type { HostileArchive } from './hostile-archive.js';
import { hostileTars } from './hostile-tars.js';
import { hostileZips } from './hostile-zips.js';

const reader = createArchiveReader();
let emptyFolder: string;
let former: string | undefined;

beforeAll(async () => {
  emptyFolder = await mkdtemp(join(tmpdir(), 'skillpack-'));
  former = process.env['TMPDIR'];
  process.env['TMPDIR'] = emptyFolder;
});

afterAll(async () => {
  if (former === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = former;
  await rm(emptyFolder, { recursive: true });
});

async function outcome(bytes: Buffer | ArchiveFile, limits: Partial<ArchiveLimits> = {}): Promise<unknown> {
  try {
    const opened = await reader.open(bytes, { limits: { ...defaultArchiveLimits, ...limits } });
    return `accepted: ${opened.files.map(({ path }) => path).join(' ')}`;
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return {
      code: error.code,
      reason: error.data['reason'],
      visible: /^[\P{Cc}\n\t]*$/u.test(error.message),
      hint: error.hint !== undefined,
    };
  }
}

describe.for([
  ['tgz', hostileTars],
  ['zip', hostileZips],
] as const)('PSA-32: a hostile %s', { timeout: 120_000 }, ([, archives]) => {
  test.for(archives.map((archive) => [archive.trick, archive] as const))('is refused: %s', async ([, archive]) => {
    const expected = { code: 'ARCHIVE_REFUSED', reason: archive.reason, visible: true, hint: true };
    const bytes = archive.bytes();
    expect(await outcome(bytes, archive.limits)).toEqual(expected);
    // Not held, but read where it lies.
    expect(await outcome(asFile(bytes), archive.limits)).toEqual(expected);
    expect(await readdir(emptyFolder)).toEqual([]);
  });

  test('has a name of its own', () => {
    const tricks = archives.map(({ trick }: HostileArchive) => trick);
    expect(new Set(tricks).size).toBe(tricks.length);
  });
});
