import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { defaultArchiveLimits, digestHex, type Digest } from '@skillpack/core';
import { expect, test } from 'vitest';
import { readTree, refusal, temporaryFolder } from '../../test/world.js';
import { sha256 } from '../archive/sha256.js';
import { heldBytes } from './archive-store.js';
import { openStore } from './disk-store.js';

const small = Buffer.from('a small archive');
const large = Buffer.alloc(heldBytes + 1, 'a large archive ');
const digests = [sha256(small), sha256(large)] as const;

function placeOf(cache: string, digest: Digest): string {
  return join(cache, 'blobs/sha256', digestHex(digest).slice(0, 2), digestHex(digest));
}

async function filled(): Promise<{ readonly cache: string; readonly store: ReturnType<typeof openStore> }> {
  const cache = join(temporaryFolder(), 'cache');
  const store = openStore(cache);
  for (const bytes of [small, large]) await store.put(sha256(bytes), bytes);
  return { cache, store };
}

function limitDescriptors(soft: string): void {
  execFileSync('prlimit', ['--pid', `${process.pid}`, `--nofile=${soft}:`], { stdio: 'ignore' });
}

/** Does something while this process can open nothing more. */
async function withoutDescriptors<Result>(work: () => Promise<Result>): Promise<Result> {
  const query = ['--pid', `${process.pid}`, '--nofile', '--noheadings', '--output=SOFT'];
  const before = execFileSync('prlimit', query, { encoding: 'utf8' }).trim();
  limitDescriptors('512');
  const open: number[] = [];
  try {
    try {
      for (;;) open.push(openSync('/dev/null', 'r'));
    } catch {
      // None is left.
    }
    return await work();
  } finally {
    for (const descriptor of open) closeSync(descriptor);
    limitDescriptors(before);
  }
}

test('an archive that is not read because too many files are open is an error, and stays', async ({ skip }) => {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' });
  } catch {
    skip('there is no prlimit');
  }
  const { cache, store } = await filled();
  const before = Object.keys(readTree(cache));
  const refused = await withoutDescriptors(() =>
    Promise.all(
      digests.flatMap((digest) => [refusal(store.open(digest)), refusal(store.get(digest)), refusal(store.verify())]),
    ),
  );
  for (const error of refused) expect(error).toMatchObject({ code: 'IO_ERROR', data: { errno: 'EMFILE' } });
  expect(Object.keys(readTree(cache))).toEqual(before);
  for (const digest of digests) {
    const opened = await store.open(digest);
    expect(opened?.size).toBeGreaterThan(0);
    opened?.close();
  }
});

test('an archive that the disk does not let be read is passed over, and stays', async () => {
  const { cache, store } = await filled();
  for (const digest of digests) {
    const place = placeOf(cache, digest);
    renameSync(place, `${place}.aside`);
    symlinkSync(place, place);
    expect(await store.open(digest)).toBe(undefined);
    expect(await store.get(digest)).toBe(undefined);
    expect(Object.keys(readTree(join(place, '..')))).toContain(digestHex(digest));
  }
});

const nobody = 65_534;

/** Does something as a user whom the rights of a file bind. */
async function unprivileged<Result>(work: () => Promise<Result>): Promise<Result> {
  const asRoot = process.getuid?.() === 0;
  if (asRoot) process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    if (asRoot) process.seteuid?.(0);
  }
}

test.runIf(process.platform !== 'win32')(
  'what others may not read is passed over, and stays: an archive, and a whole store',
  async () => {
    const { cache, store } = await filled();
    const before = readTree(cache);
    chmodSync(join(cache, '..'), 0o755);
    for (const digest of digests) {
      // Whoever may write to a folder may remove what he may not read.
      chmodSync(placeOf(cache, digest), 0);
      chmodSync(join(placeOf(cache, digest), '..'), 0o777);
    }
    const read = () => Promise.all(digests.flatMap((digest) => [store.open(digest), store.get(digest)]));
    expect(await unprivileged(read)).toEqual([undefined, undefined, undefined, undefined]);
    for (const digest of digests) chmodSync(placeOf(cache, digest), 0o644);
    chmodSync(cache, 0o700);
    // Nobody's own store, or one that he may not enter.
    if (process.getuid?.() !== 0) chmodSync(cache, 0);
    expect(await unprivileged(read)).toEqual([undefined, undefined, undefined, undefined]);
    chmodSync(cache, 0o755);
    expect(readTree(cache)).toEqual(before);
  },
);

test.runIf(process.platform !== 'win32')(
  'a FIFO in place of an archive or its unpacked form is not waited for',
  async () => {
    const { cache, store } = await filled();
    for (const digest of digests) {
      for (const path of [placeOf(cache, digest), `${placeOf(cache, digest)}.unpacked`]) {
        rmSync(path, { force: true });
        execFileSync('mkfifo', [path]);
        // Whoever does wait is let go after a while, to be told of here.
        const writer = spawn('sh', ['-c', 'sleep 5; exec 3<>"$1"', 'sh', path], { stdio: 'ignore' });
        const began = performance.now();
        expect(await store.open(digest)).toBe(undefined);
        expect(store.getUnpacked(digest, { judge: '1.2.3', treeDigest: digest })).toBe(undefined);
        expect(performance.now() - began).toBeLessThan(4_000);
        writer.kill();
      }
    }
    // Nothing but files are the store's.
    expect(await store.verify()).toMatchObject({ archives: 0, damaged: [], leftovers: [] });
  },
);

test('what was being written an hour ago is a leftover, and what is being written now is not', async () => {
  const { cache, store } = await filled();
  const folder = join(placeOf(cache, digests[0]), '..');
  const [old = '', fresh = ''] = ['0123456789abcdef', 'fedcba9876543210'].map((id) =>
    join(folder, `.skillpack-tmp-${id}`),
  );
  for (const path of [old, fresh]) writeFileSync(path, 'half');
  const hourAgo = Date.now() / 1000 - 3601;
  utimesSync(old, hourAgo, hourAgo);
  expect(await store.verify({ repair: false })).toMatchObject({ leftovers: [old] });
  expect(existsSync(old)).toBe(true);
  expect(await store.verify()).toMatchObject({ archives: 2, leftovers: [old] });
  expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
});

test.each([
  ['leads to itself', (cache: string) => symlinkSync(cache, cache)],
  ['is a file', (cache: string) => writeFileSync(cache, 'a file')],
])('a store whose folder %s holds nothing, and keeps nothing', async (_, make) => {
  const cache = join(temporaryFolder(), 'cache');
  make(cache);
  const store = openStore(cache);
  for (const bytes of [small, large]) {
    expect(store.has(sha256(bytes))).toBe(false);
    expect(await store.open(sha256(bytes))).toBe(undefined);
    await store.put(sha256(bytes), bytes);
    expect(await store.open(sha256(bytes))).toBe(undefined);
  }
});

test('a store whose path is too long for the file system holds nothing', async () => {
  const store = openStore(join(temporaryFolder(), 'x'.repeat(300)));
  for (const digest of digests) expect(await store.open(digest)).toBe(undefined);
});

test('what is larger than any archive is damaged, and nobody waits for it to be read', async () => {
  const { cache, store } = await filled();
  const place = placeOf(cache, digests[1]);
  const { archiveBytes } = defaultArchiveLimits;
  for (const read of [() => store.open(digests[1]), () => store.get(digests[1])]) {
    mkdirSync(join(place, '..'), { recursive: true });
    writeFileSync(place, large);
    truncateSync(place, 2 ** 36);
    const began = process.cpuUsage();
    expect(await read()).toBe(undefined);
    expect(process.cpuUsage(began).user).toBeLessThan(1e6);
    expect(existsSync(place)).toBe(false);
  }
  writeFileSync(place, '');
  truncateSync(place, archiveBytes + 1);
  const digest = `sha256:${execFileSync('sha256sum', [place], { encoding: 'utf8' }).slice(0, 64)}` as Digest; // 64 digits
  mkdirSync(join(placeOf(cache, digest), '..'), { recursive: true });
  renameSync(place, placeOf(cache, digest));
  const raised = await store.open(digest, { maxBytes: archiveBytes + 1 });
  expect(raised?.size).toBe(archiveBytes + 1);
  raised?.close();
  expect(await store.open(digest)).toBe(undefined);
});
