import { randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SkillsError, type ArchiveFile, type OpenedArchive } from '@skillpack/core';
import { createArchiveReader, createArchiveWriter, sha256 } from '../../src/index.js';
import { asFile } from './as-file.js';
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

  test('is read where it lies, and read again', async () => {
    const opened = await reader.open(asFile(archives[format]));
    expect(opened.files.map(({ path, digest }) => [path, digest])).toEqual(expected);
    expect(await digests(opened)).toEqual(expected);
    expect(await digests(opened)).toEqual(expected);
  });

  test('that changed after it was judged is not handed out', async () => {
    const archive = Buffer.from(archives[format]);
    const opened = await reader.open(archive);
    archive.fill(0x55, Math.floor(archive.length / 2), Math.floor(archive.length / 2) + 200);
    expect(await digests(opened).catch(codeOf)).toBe('INTEGRITY_MISMATCH');
  });
});

describe('PSA-32: an archive in a file', () => {
  const noise = randomBytes(5 * MiB);
  const bytes = createArchiveWriter().write(
    [
      { path: 'pdf/SKILL.md', bytes: Buffer.from(skillText), executable: false },
      { path: 'pdf/noise', bytes: noise, executable: false },
    ],
    'tgz',
  );

  test('is read once while it is judged, and once for its contents, a piece at a time', async () => {
    const file = asFile(bytes);
    let read = 0;
    let largest = 0;
    const memory = new Set<ArrayBufferLike>();
    const counted: ArchiveFile = {
      ...file,
      read(into, position) {
        memory.add(into.buffer);
        const length = file.read(into, position);
        read += length;
        largest = Math.max(largest, length);
        return length;
      },
    };
    // A machine that seems slow would have the blocks looked at, too.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => clock.mockRestore());
    const opened = await reader.open(counted);
    // Two bytes more tell which format it is.
    expect(read).toBe(bytes.length + 2);
    expect(await digests(opened)).toContainEqual(['pdf/noise', sha256(noise)]);
    expect(read).toBe(2 * bytes.length + 2);
    expect(largest).toBeLessThanOrEqual(MiB / 2);
    // What was inflated is let go, and its memory used again: ten pieces would not be.
    expect(memory.size).toBeLessThan(2 * 6);
  });

  test('is honest on a slow machine, too, which looks at its blocks', async () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000_000));
    onTestFinished(() => clock.mockRestore());
    const file = asFile(bytes);
    const read = vi.spyOn(file, 'read');
    const opened = await reader.open(file);
    expect(read.mock.calls.length).toBeGreaterThan(bytes.length / (MiB / 4));
    expect(await digests(opened)).toContainEqual(['pdf/noise', sha256(noise)]);
  });

  test('may be of several members, each with a header of any length', async () => {
    const tar = gunzipSync(bytes);
    const named = (part: Buffer, name: string): Buffer => {
      const member = gzipSync(part, { level: 0 });
      const header = Buffer.from(member.subarray(0, 10));
      header.writeUInt8(0x08, 3); // FNAME of RFC 1952
      return Buffer.concat([header, Buffer.from(`${name}\0`), member.subarray(10)]);
    };
    const parts = [0, 1, 2, 3, 4, 5].map((at) => tar.subarray(at * MiB, at === 5 ? undefined : (at + 1) * MiB));
    const members = Buffer.concat(parts.map((part, index) => named(part, 'n'.repeat(index * 300_000))));
    expect(await digests(await reader.open(asFile(members)))).toContainEqual(['pdf/noise', sha256(noise)]);
    const cut = asFile(members.subarray(0, members.length - 3 * MiB));
    expect(await reader.open(cut).catch(codeOf)).toBe('ARCHIVE_REFUSED');
  });

  test('is refused when members without content are added to it', async () => {
    const empty = gzipSync(Buffer.alloc(0));
    const header = Buffer.from(empty.subarray(0, 10));
    header.writeUInt8(0x08, 3); // FNAME of RFC 1952
    const member = Buffer.concat([header, Buffer.alloc(8 * 1024, 'n'), Buffer.alloc(1), empty.subarray(10)]);
    const few = createArchiveWriter().write(files.slice(0, 1), 'tgz');
    const padded = Buffer.concat([few, ...Array.from({ length: 600 }, () => member)]);
    const refused: unknown = await reader.open(asFile(padded)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'ARCHIVE_REFUSED', data: { reason: 'bad-compression' } });
  });

  test('that is another one of the same length, or became shorter, is INTEGRITY_MISMATCH', async () => {
    for (const [format, archive] of Object.entries({ ...archives, noise: bytes })) {
      const { digest } = asFile(Buffer.from(`not ${format}`));
      expect(await reader.open({ ...asFile(archive), digest }).catch(codeOf)).toBe('INTEGRITY_MISMATCH');
      const shorter = asFile(archive.subarray(0, archive.length - 1));
      expect(await reader.open({ ...shorter, size: archive.length }).catch(codeOf)).toBe('INTEGRITY_MISMATCH');
    }
  });

  test.each([100, MiB, 3 * MiB])('that changed at %i after it was judged is not handed out', async (at) => {
    const changing = Buffer.from(bytes);
    const opened = await reader.open(asFile(changing));
    changing.fill(0x55, at, at + 200);
    expect(await digests(opened).catch(codeOf)).toBe('INTEGRITY_MISMATCH');
  });

  test('that became another good one after it was judged is not handed out, however much is in that', async () => {
    const tar = gunzipSync(bytes);
    const stored = gzipSync(tar, { level: 0 });
    for (const size of [0, 512, MiB, tar.length - MiB]) {
      // As long as the first: the rest is a name in the header of RFC 1952.
      const other = gzipSync(tar.subarray(0, size), { level: 0 });
      const header = Buffer.from(other.subarray(0, 10));
      header.writeUInt8(0x08, 3);
      const name = Buffer.alloc(stored.length - other.length - 1, 'n');
      const changed = Buffer.concat([header, name, Buffer.alloc(1), other.subarray(10)]);
      expect(changed.length).toBe(stored.length);
      const changing = Buffer.from(stored);
      const opened = await reader.open(asFile(changing));
      changing.set(changed);
      expect(await digests(opened).catch(codeOf)).toBe('INTEGRITY_MISMATCH');
    }
  });

  test.each([3, 100, MiB, bytes.length - 3])(
    'that changed at %i before it was judged is not taken for one that was published so',
    async (at) => {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      const { digest } = asFile(bytes);
      expect(await reader.open({ ...asFile(changed), digest }).catch(codeOf)).toBe('INTEGRITY_MISMATCH');
      if (at > 3) expect(await reader.open(asFile(changed)).catch(codeOf)).toBe('ARCHIVE_REFUSED');
    },
  );
});
