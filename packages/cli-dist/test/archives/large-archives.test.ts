import { describe, expect, test } from 'vitest';
import { SkillsError, type OpenedArchive } from '@skillpack/core';
import { createArchiveReader, createArchiveWriter, sha256 } from '../../src/index.js';
import { skillText } from './hostile-archive.js';

const MiB = 1024 * 1024;
const reader = createArchiveReader();

function words(size: number, word: string): Buffer {
  return Buffer.alloc(size, `${word} `);
}

const files = [
  { path: 'package/SKILL.md', bytes: Buffer.from(skillText), executable: false },
  { path: 'package/a.log', bytes: words(9 * MiB + 1, 'alpha'), executable: false },
  { path: 'package/b.log', bytes: words(7 * MiB, 'beta'), executable: true },
  { path: 'package/c.txt', bytes: Buffer.from('small'), executable: false },
  { path: 'package/d.log', bytes: words(6 * MiB + 511, 'delta'), executable: false },
];
const archives = {
  tgz: createArchiveWriter().write(files, 'tgz'),
  zip: createArchiveWriter().write(files, 'zip'),
} as const;

async function digests(opened: OpenedArchive): Promise<(readonly [path: string, digest: string])[]> {
  const found: (readonly [string, string])[] = [];
  for await (const { file, chunks } of opened.contents()) {
    const parts: Buffer[] = [];
    for await (const chunk of chunks) parts.push(Buffer.from(chunk));
    found.push([file.path, sha256(Buffer.concat(parts))]);
  }
  return found;
}

function codeOf(error: unknown): unknown {
  return SkillsError.is(error) ? error.code : error;
}

describe.for(['tgz', 'zip'] as const)('PSA-32: a %s too large to be kept in memory', (format) => {
  const expected = files.map(({ path, bytes }) => [path.slice('package/'.length), sha256(bytes)]);

  test('is read, and read again', async () => {
    const opened = await reader.open(archives[format]);
    // The front matter calls the skill pdf: the folder around it is an enclosing one, though it was only streamed past.
    expect(opened.layout).toBe('skill');
    expect(opened.files.map(({ path, digest }) => [path, digest])).toEqual(expected);
    expect(await digests(opened)).toEqual(expected);
    expect(await digests(opened)).toEqual(expected);
  });

  test('may be read in part', async () => {
    const opened = await reader.open(archives[format]);
    const seen: string[] = [];
    for await (const { file, chunks } of opened.contents()) {
      seen.push(file.path);
      if (file.path === 'a.log') continue;
      for await (const chunk of chunks) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      if (file.path === 'c.txt') break;
    }
    expect(seen).toEqual(['SKILL.md', 'a.log', 'b.log', 'c.txt']);
  });

  test('can be cancelled while it is read', async () => {
    const controller = new AbortController();
    const opening = reader.open(archives[format], { signal: controller.signal });
    controller.abort();
    expect(await opening.catch(codeOf)).toBe('INTERRUPTED');
    expect(await reader.open(archives[format], { signal: AbortSignal.abort() }).catch(codeOf)).toBe('INTERRUPTED');
  });

  test('that changed after it was judged is not handed out', async () => {
    const archive = Buffer.from(archives[format]);
    const opened = await reader.open(archive);
    archive.fill(0x55, Math.floor(archive.length / 2), Math.floor(archive.length / 2) + 200);
    expect(['ARCHIVE_REFUSED', 'INTEGRITY_MISMATCH']).toContain(await digests(opened).catch(codeOf));
  });
});
