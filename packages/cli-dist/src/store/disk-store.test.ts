import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { digestHex, type Digest } from '@skillpack/core';
import { expect, test } from 'vitest';
import { readTree, refusal, temporaryFolder } from '../../test/world.js';
import { sha256 } from '../archive/sha256.js';
import { openStore } from './disk-store.js';

const first = Buffer.from('the first archive');
const second = Buffer.from('the second one');

function pathOf(store: string, digest: Digest): string {
  const hex = digestHex(digest);
  return join(store, 'blobs/sha256', hex.slice(0, 2), hex);
}

async function filled(path: string): Promise<ReturnType<typeof openStore>> {
  const store = openStore(path);
  for (const bytes of [first, second]) await store.put(sha256(bytes), bytes);
  return store;
}

test('cleaning removes every archive and what dead processes left of one, and the folders that are empty then', async () => {
  const path = join(temporaryFolder(), 'cache');
  const store = await filled(path);
  writeFileSync(join(dirname(pathOf(path, sha256(first))), '.skillpack-tmp-0123456789abcdef'), 'half');
  const bytes = first.length + second.length;
  expect(await store.clean()).toEqual({ archives: 2, bytes, unfinished: { files: 1, bytes: 4 } });
  expect(readdirSync(path)).toEqual([]);
  expect(await store.clean()).toEqual({ archives: 0, bytes: 0, unfinished: { files: 0, bytes: 0 } });
});

test('what somebody else put into the folder of the store is neither counted nor removed', async () => {
  const path = join(temporaryFolder(), 'cache');
  const store = await filled(path);
  const folder = dirname(pathOf(path, sha256(first)));
  const wrongFolder = join(path, 'blobs/sha256', folder.endsWith('00') ? '01' : '00');
  const mine = [
    join(path, 'blobs/notes.txt'),
    join(folder, 'notes.txt'),
    join(folder, '.skillpack-tmp-mine'),
    join(wrongFolder, digestHex(sha256(first))),
    join(path, 'blobs/sha256/folder', digestHex(sha256(first))),
  ];
  for (const file of mine) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'mine');
  }
  expect(await store.info()).toMatchObject({ archives: 2 });
  expect(await store.verify()).toEqual({
    archives: 2,
    bytes: first.length + second.length,
    damaged: [],
    leftovers: [],
    blocked: [],
  });
  await store.clean();
  for (const file of mine) expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(existsSync(pathOf(path, sha256(first)))).toBe(false);
});

test.each(['blobs', 'blobs/sha256'])(
  'a link in place of %s is not followed when archives are removed',
  async (place) => {
    const dir = temporaryFolder();
    const path = join(dir, 'cache');
    const store = await filled(path);
    const elsewhere = join(dir, 'elsewhere');
    renameSync(join(path, place), elsewhere);
    symlinkSync(elsewhere, join(path, place));
    const before = readTree(elsewhere);
    expect(Object.keys(before)).toHaveLength(2);
    expect(await refusal(store.clean())).toMatchObject({
      code: 'PATH_TRAVERSAL_BLOCKED',
      data: { path: join(path, place) },
    });
    writeFileSync(join(elsewhere, Object.keys(before)[0]!), 'not these bytes');
    expect(await store.verify()).toMatchObject({ archives: 0, damaged: [] });
    expect(Object.keys(readTree(elsewhere))).toEqual(Object.keys(before));
  },
);

test('a link in place of one folder of archives is left alone, and the rest goes', async () => {
  const dir = temporaryFolder();
  const path = join(dir, 'cache');
  const store = await filled(path);
  const folder = dirname(pathOf(path, sha256(first)));
  const elsewhere = join(dir, 'elsewhere');
  renameSync(folder, elsewhere);
  symlinkSync(elsewhere, folder);
  expect(await store.clean()).toMatchObject({ archives: 1 });
  expect(readdirSync(elsewhere)).toEqual([digestHex(sha256(first))]);
});

test('the folder of the whole store may be a link', async () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'big disk'));
  symlinkSync(join(dir, 'big disk'), join(dir, 'cache'));
  const store = await filled(join(dir, 'cache'));
  expect(await store.clean()).toMatchObject({ archives: 2 });
  expect(readdirSync(join(dir, 'big disk'))).toEqual([]);
});
