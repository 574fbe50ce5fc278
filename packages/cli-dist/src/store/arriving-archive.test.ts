import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestHex } from '@skillpack/core';
import { expect, onTestFinished, test } from 'vitest';
import { readTree, temporaryFolder } from '../../test/world.js';
import { sha256 } from '../archive/sha256.js';
import { heldBytes, type ArchiveStore, type IncomingArchive, type StoredArchive } from './archive-store.js';
import { openStore } from './disk-store.js';

const MiB = 1024 * 1024;
const large = randomBytes(heldBytes + 3 * MiB);
const small = large.subarray(0, heldBytes);
const digest = sha256(large);

function write(arriving: IncomingArchive, bytes: Uint8Array): void {
  const chunk = Buffer.alloc(64 * 1024);
  for (let at = 0; at < bytes.length; at += chunk.length) {
    const part = bytes.subarray(at, at + chunk.length);
    chunk.set(part);
    arriving.write(chunk.subarray(0, part.length));
    // It may be reused.
    chunk.fill(0);
  }
}

function bytesOf({ archive, size }: StoredArchive): Buffer {
  if (archive instanceof Uint8Array) return Buffer.from(archive);
  const bytes = Buffer.alloc(size + 1);
  expect(archive.read(bytes, 0)).toBe(size);
  expect(archive.read(bytes.subarray(size), size)).toBe(0);
  return bytes.subarray(0, size);
}

function arrived(store: ArchiveStore, expected?: number): IncomingArchive {
  const arriving = store.receive(digest, expected);
  write(arriving, large);
  return arriving;
}

test('what is small is in memory, and touches no disk before it is kept', async () => {
  const cache = join(temporaryFolder(), 'cache');
  const store = openStore(cache);
  const arriving = store.receive(sha256(small), undefined);
  write(arriving, small);
  expect(arriving.archive).toBeInstanceOf(Uint8Array);
  expect(bytesOf(arriving).equals(small)).toBe(true);
  expect(existsSync(cache)).toBe(false);
  await arriving.keep();
  arriving.close();
  expect(small.equals((await store.get(sha256(small))) ?? Buffer.alloc(0))).toBe(true);
});

test.each([undefined, large.length, 1])('what is large is in a file, whatever is stated (%s)', async (expected) => {
  const store = openStore(join(temporaryFolder(), 'cache'));
  const arriving = arrived(store, expected);
  expect(arriving.archive).not.toBeInstanceOf(Uint8Array);
  expect(arriving).toMatchObject({ size: large.length, archive: { size: large.length, digest } });
  expect(bytesOf(arriving).equals(large)).toBe(true);
  expect(store.has(digest)).toBe(false);
  await arriving.keep();
  expect(store.has(digest)).toBe(true);
  expect(bytesOf(arriving).equals(large)).toBe(true);
  arriving.close();
  expect(large.equals((await store.get(digest)) ?? Buffer.alloc(0))).toBe(true);
  expect(await store.info()).toMatchObject({ archives: 1, bytes: large.length });
});

test('what is given up leaves nothing, not even a folder; one that was there stays', async () => {
  const dir = temporaryFolder();
  const arriving = arrived(openStore(join(dir, 'cache')));
  expect(Object.keys(readTree(dir))).toHaveLength(1);
  arriving.close();
  expect(readdirSync(dir)).toEqual([]);
  mkdirSync(join(dir, 'cache', 'blobs'), { recursive: true });
  arrived(openStore(join(dir, 'cache'))).close();
  expect(readdirSync(join(dir, 'cache', 'blobs'))).toEqual([]);
});

test('what comes again from its beginning is not mixed with what came before, however far that got', async () => {
  const store = openStore(join(temporaryFolder(), 'cache'));
  for (const before of [randomBytes(heldBytes + MiB), randomBytes(1000)]) {
    const arriving = store.receive(digest, undefined);
    write(arriving, before);
    arriving.restart();
    write(arriving, large);
    expect(bytesOf(arriving).equals(large)).toBe(true);
    arriving.restart();
    write(arriving, small);
    expect(bytesOf(arriving).equals(small)).toBe(true);
    arriving.close();
  }
  expect(await store.info()).toMatchObject({ archives: 0 });
});

test('a store that somebody cleans meanwhile takes nothing away from who reads', async () => {
  const store = openStore(join(temporaryFolder(), 'cache'));
  const arriving = arrived(store);
  await store.clean();
  await arriving.keep();
  expect(bytesOf(arriving).equals(large)).toBe(true);
  arriving.close();
  expect(await store.info()).toMatchObject({ archives: 0 });

  await store.put(digest, large);
  const opened = await store.open(digest);
  await store.clean();
  expect(opened === undefined ? 'nothing' : bytesOf(opened).equals(large)).toBe(true);
  opened?.close();
});

test('what another process has kept meanwhile stays, and nothing is beside it', async () => {
  const dir = temporaryFolder();
  const store = openStore(join(dir, 'cache'));
  const [one, two] = [arrived(store), arrived(store)];
  await one.keep();
  await two.keep();
  expect(bytesOf(two).equals(large)).toBe(true);
  one.close();
  two.close();
  const kept = join('cache/blobs/sha256', digestHex(digest).slice(0, 2), digestHex(digest));
  expect(Object.keys(readTree(dir))).toEqual([kept]);
});

test('where the store cannot be written, an archive is in memory all the same', async () => {
  const cache = join(temporaryFolder(), 'cache');
  writeFileSync(cache, 'a file where the folder belongs');
  const arriving = arrived(openStore(cache));
  expect(bytesOf(arriving).equals(large)).toBe(true);
  await arriving.keep();
  arriving.close();
  expect(readFileSync(cache, 'utf8')).toBe('a file where the folder belongs');
});

test('on a disk that fills up meanwhile too: what it took is read back, and its room is free again', async ({
  skip,
}) => {
  const dir = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${heldBytes + MiB}`, 'none', dir], { stdio: 'ignore' });
  } catch {
    skip('nothing may be mounted here');
  }
  onTestFinished(() => void execFileSync('umount', [dir]));
  const arriving = arrived(openStore(join(dir, 'cache')));
  expect(bytesOf(arriving).equals(large)).toBe(true);
  expect(arriving.archive).toMatchObject({ size: large.length, digest });
  expect(readdirSync(dir)).toEqual([]);
  await arriving.keep();
  arriving.close();
  expect(Object.keys(readTree(dir))).toEqual([]);
});

test('what is kept and large is opened where it lies; what is damaged is removed', async () => {
  const cache = join(temporaryFolder(), 'cache');
  const store = openStore(cache);
  await store.put(digest, large);
  await store.put(sha256(small), small);
  const [opened, held] = [await store.open(digest), await store.open(sha256(small))];
  expect(opened).toMatchObject({ size: large.length, archive: { size: large.length, digest } });
  expect(held?.archive).toBeInstanceOf(Uint8Array);
  for (const archive of [opened, held]) archive?.close();
  const damaged = Buffer.from(large);
  damaged.writeUInt8(damaged.readUInt8(heldBytes) ^ 1, heldBytes);
  const place = join(cache, 'blobs/sha256', digestHex(digest).slice(0, 2), digestHex(digest));
  writeFileSync(place, damaged);
  expect(await store.open(digest)).toBe(undefined);
  expect(existsSync(place)).toBe(false);
  expect(await store.open(digest)).toBe(undefined);
});
