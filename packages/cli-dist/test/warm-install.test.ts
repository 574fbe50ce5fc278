import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultArchiveLimits, type Digest } from '@skillpack/core';
import { beforeEach, describe, expect, test } from 'vitest';
import { createArchiveReader } from '../src/archive/archive-reader.js';
import type { PackManagerPorts } from '../src/install/pack-manager-ports.js';
import { decodeUnpacked, encodeUnpacked, maxUnpacked } from '../src/store/unpacked-pack.js';
import { makeWorld, packed, skill, type World } from './world.js';

let world: World;
let forms: () => readonly string[];
let judged = 0;
let ports: PackManagerPorts;
let before: Record<string, string>;

const files = { ...skill('pdf'), 'scripts/run.sh': '#!/bin/sh\necho run\n', 'empty.txt': '' };

beforeEach(async () => {
  world = makeWorld();
  const blobs = join(world.dir, 'cache', 'blobs', 'sha256');
  forms = () =>
    readdirSync(blobs, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.unpacked'))
      .map((path) => join(blobs, path));
  judged = 0;
  const reader = createArchiveReader();
  const archives: PackManagerPorts['archives'] = {
    open(bytes, options) {
      judged += 1;
      return reader.open(bytes, options);
    },
  };
  ports = { ...world.ports, archives };
  await world.offer({ name: 'org/pdf', version: '1.0.0', skills: { pdf: files } });
  await world.installWith(ports, ['org/pdf']);
  before = world.tree();
});

/** Installs what is locked into an empty root. @returns how many archives were unpacked and judged for it. */
async function again(used: PackManagerPorts = ports, options = {}): Promise<number> {
  rmSync(join(world.project, '.agents'), { recursive: true, force: true });
  judged = 0;
  await world.installWith(used, [], { frozen: true, ...options });
  const after = Object.entries(world.tree()).map(([path, text]) => [path, text.replace(used.version, ports.version)]);
  expect(Object.fromEntries(after)).toEqual(before);
  return judged;
}

test('what is installed a third time is not unpacked again, and all of it is the same', async () => {
  expect(forms()).toEqual([]);
  expect(await again()).toBe(1);
  expect(forms()).toHaveLength(1);
  expect(await again()).toBe(0);
  expect(await again(ports, { offline: true })).toBe(0);
});

describe('the archive is judged anew', () => {
  beforeEach(async () => {
    await again();
  });

  test('when the form was made by another version of skillpack', async () => {
    expect(await again({ ...ports, version: '1.2.4' })).toBe(1);
    expect(await again({ ...ports, version: '1.2.4' })).toBe(0);
  });

  test('when others may write to the form', async () => {
    chmodSync(forms()[0]!, 0o666);
    expect(await again()).toBe(1);
  });

  test('when an install has limits of its own', async () => {
    expect(await again(ports, { limits: defaultArchiveLimits })).toBe(1);
  });

  test.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['longer', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
    ['empty', () => Buffer.alloc(0)],
    ['no form', () => Buffer.from('null\n')],
    [
      'of another manifest',
      (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('What pdf', 'What PDF'), 'latin1'),
    ],
    [
      'of other bytes',
      (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('echo run', 'rm -rf /'), 'latin1'),
    ],
  ])('when the form is %s, and the form is made anew', async (_, damage) => {
    const [path = ''] = forms();
    const whole = readFileSync(path);
    const damaged = damage(whole);
    expect(damaged.equals(whole)).toBe(false);
    writeFileSync(path, damaged);
    expect(await again()).toBe(1);
    expect(readFileSync(path).equals(whole)).toBe(true);
    expect(await again()).toBe(0);
  });

  test('when the form is one of other files, true in itself', async () => {
    const other = packed({
      name: 'org/pdf',
      version: '1.0.0',
      skills: { pdf: { ...files, 'scripts/run.sh': 'rm -rf /\n' } },
    });
    const opened = await createArchiveReader().open(other.archive);
    const form = await encodeUnpacked({ ...withManifest(opened), judge: world.ports.version });
    writeFileSync(forms()[0]!, form!);
    expect(await again()).toBe(1);
    expect(await again()).toBe(0);
  });
});

function withManifest({ manifest, contents }: Awaited<ReturnType<ReturnType<typeof createArchiveReader>['open']>>) {
  if (manifest === undefined) throw new Error('it has no manifest');
  return { manifest, contents };
}

test('with any byte of it changed, a form is none, or still says the same', async () => {
  await again();
  const bytes = readFileSync(forms()[0]!);
  const { treeDigest } = world.lock()['org/pdf']!;
  const expected = { judge: world.ports.version, treeDigest: treeDigest as Digest };
  const fine = decodeUnpacked(bytes, expected);
  expect(fine?.files.map(({ file }) => file.path)).toEqual(['pdf/SKILL.md', 'pdf/empty.txt', 'pdf/scripts/run.sh']);
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes);
    changed[index]! ^= 1 << (index % 8);
    const decoded = decodeUnpacked(changed, expected);
    if (decoded !== undefined) expect(decoded).toEqual(fine);
  }
});

test('a large pack is kept in its archive alone', async () => {
  const large = { ...skill('big'), 'table.txt': 'x'.repeat(maxUnpacked) };
  await world.offer({ name: 'org/big', version: '1.0.0', skills: { big: large } });
  await world.installWith(ports, ['org/big']);
  before = world.tree();
  expect(await again()).toBe(2);
  expect(forms()).toHaveLength(1);
});

test('the forms are counted, checked and removed with the archives', async () => {
  const { store } = world.ports;
  const { bytes } = await store.info();
  await again();
  const [path = ''] = forms();
  const { size } = statSync(path);
  expect(await store.info()).toMatchObject({ archives: 1, bytes: bytes + size });
  expect(await store.verify()).toMatchObject({ archives: 1, bytes, damaged: [] });
  writeFileSync(path, readFileSync(path).subarray(1));
  expect(await store.verify({ repair: false })).toMatchObject({ damaged: [path] });
  expect(await store.verify()).toMatchObject({ damaged: [path] });
  expect(existsSync(path)).toBe(false);
  await again();
  const unfinished = { files: 0, bytes: 0 };
  expect(await store.clean()).toEqual({ archives: 1, bytes: bytes + size, unfinished });
  expect(readdirSync(join(world.dir, 'cache'))).toEqual([]);
});
