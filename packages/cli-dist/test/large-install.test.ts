import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestHex, type PackRegistry } from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import { heldBytes } from '../src/store/archive-store.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import { makeWorld, packed, readTree, refusal, skill, type World } from './world.js';

// Of six bits a character: what it compresses to is larger than what is held.
const noise = randomBytes(heldBytes + 2 ** 20).toString('base64');
const description = {
  name: 'org/pdf',
  version: '1.0.0',
  skills: { pdf: { ...skill('pdf'), 'noise.txt': noise } },
} as const;
const pack = packed(description);
const place = `blobs/sha256/${digestHex(pack.digest).slice(0, 2)}/${digestHex(pack.digest)}`;

async function offered(): Promise<World> {
  const world = makeWorld();
  await world.registry.publish(pack);
  return world;
}

function cached(world: World): string[] {
  const cache = join(world.dir, 'cache');
  return existsSync(cache) ? Object.keys(readTree(cache)) : [];
}

async function expectInstalled(world: World): Promise<void> {
  expect(world.read('.agents/skills/pdf/noise.txt') === noise).toBe(true);
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true, untracked: [] });
}

describe('PSA-32: a pack whose archive is not held in memory', () => {
  test('is installed, kept, and installed from the store', async () => {
    const world = await offered();
    const report = await world.install(['org/pdf@1.0.0']);
    expect(report.downloaded).toMatchObject({ bytes: pack.archive.length });
    await expectInstalled(world);
    expect(cached(world)).toEqual([place]);
    const asked = world.registry.calls.length;

    rmSync(join(world.project, '.agents'), { recursive: true });
    await world.install([], { frozen: true, offline: true });
    await expectInstalled(world);
    expect(world.registry.calls.length).toBe(asked);
  });

  test('is installed by a lock file that does not say how large it is', async () => {
    const world = await offered();
    await world.install(['org/pdf@1.0.0']);
    for (const folder of [join(world.project, '.agents'), join(world.dir, 'cache')])
      rmSync(folder, { recursive: true });
    await world.install([], { frozen: true });
    await expectInstalled(world);
    expect(cached(world)).toEqual([place]);
  });

  test('is fetched anew when the one in the store was damaged', async () => {
    const world = await offered();
    await world.install(['org/pdf@1.0.0']);
    rmSync(join(world.project, '.agents'), { recursive: true });
    writeFileSync(join(world.dir, 'cache', place), Buffer.alloc(pack.archive.length));
    await world.install([], { frozen: true });
    await expectInstalled(world);
    expect(readFileSync(join(world.dir, 'cache', place)).equals(pack.archive)).toBe(true);
    expect(cached(world)).toEqual([place]);
  });

  test('is installed where the store cannot be written', async () => {
    const world = await offered();
    writeFileSync(join(world.dir, 'cache'), 'a file where the folder belongs');
    await world.install(['org/pdf@1.0.0']);
    await expectInstalled(world);
  });

  test('is installed where the store leads to itself', async () => {
    const world = await offered();
    symlinkSync(join(world.dir, 'cache'), join(world.dir, 'cache'));
    await world.install(['org/pdf@1.0.0']);
    await expectInstalled(world);
  });

  test('is installed from a registry that hands out bytes alone', async () => {
    const world = await offered();
    const { copyBlob: _, ...registry } = world.registry;
    await world.installWith({ ...world.ports, registryFor: () => registry }, ['org/pdf@1.0.0']);
    await expectInstalled(world);
    expect(cached(world)).toEqual([place]);
  });

  test.each([
    ['other bytes', pack.archive.toReversed(), 'INTEGRITY_MISMATCH'],
    ['the first half', pack.archive.subarray(0, pack.archive.length / 2), 'INTEGRITY_MISMATCH'],
    ['more bytes', Buffer.concat([pack.archive, Buffer.alloc(1)]), 'FILE_TOO_LARGE'],
  ])('is refused when the registry has %s, and leaves nothing', async (_, bytes, code) => {
    const world = await offered();
    world.registry.tamper(pack.digest, bytes);
    expect(await refusal(world.install(['org/pdf@1.0.0']))).toMatchObject({ code });
    expect(cached(world)).toEqual([]);
    expect(existsSync(world.skills)).toBe(false);
  });

  test('is refused when it is not the one of its digest though the registry says so, and leaves nothing', async () => {
    const world = await offered();
    const lying: PackRegistry = {
      ...world.registry,
      copyBlob: async (_, sink) => sink.write(packed({ ...description, description: 'Another one.' }).archive),
    };
    const installing = world.installWith({ ...world.ports, registryFor: () => lying }, ['org/pdf@1.0.0']);
    expect(await refusal(installing)).toMatchObject({ code: 'INTEGRITY_MISMATCH' });
    expect(cached(world)).toEqual([]);
    expect(existsSync(world.skills)).toBe(false);
  });

  test('is given up when the download is cancelled, and leaves nothing', async () => {
    const world = await offered();
    const controller = new AbortController();
    const registry: PackRegistry = {
      ...world.registry,
      async copyBlob(request, sink, options) {
        sink.write(pack.archive.subarray(0, heldBytes + 1));
        expect(cached(world)).toHaveLength(1);
        controller.abort();
        await world.registry.copyBlob?.(request, sink, options);
      },
    };
    const ports = { ...world.ports, registryFor: () => registry };
    const installing = world.installWith(ports, ['org/pdf@1.0.0'], { signal: controller.signal });
    expect(await refusal(installing)).toMatchObject({ code: 'INTERRUPTED' });
    expect(cached(world)).toEqual([]);
  });
});
