import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ArchiveReader, PackRegistry, VersionRecord } from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import { createArchiveReader } from '../src/archive/archive-reader.js';
import { makeWorld, packed, refusal, skill, type World } from './world.js';

const pack = { name: 'org/pdf', version: '1.0.0' } as const;
const other = packed({ ...pack, skills: { pdf: skill('pdf', 'Another one.') } });

/** A reader of which each archive that was opened has to be released. */
function countingReader(): { readonly archives: ArchiveReader; open(): number } {
  const reader = createArchiveReader();
  let open = 0;
  return {
    archives: {
      async open(archive, options) {
        const opened = await reader.open(archive, options);
        open += 1;
        const release = (): void => {
          open -= 1;
          opened.release();
        };
        return { ...opened, release };
      },
    },
    open: () => open,
  };
}

/** A registry that says something else of its versions than their archives. */
function lyingRegistry({ registry }: World, lie: Partial<VersionRecord>): PackRegistry {
  return {
    ...registry,
    async getPack(name, options) {
      const document = await registry.getPack(name, options);
      return { ...document, versions: document.versions.map((version) => ({ ...version, ...lie })) };
    },
  };
}

const lies = [
  ['another tree digest', { treeDigest: other.manifest.treeDigest }, 'tree digest'],
  ['other skills', { skills: ['csv', 'pdf'] }, 'has the skills pdf, expected csv, pdf'],
] as const;

describe('PSA-33: an archive that has its digest', () => {
  test.each(lies)('is refused where the index states %s, and nothing stays open', async (_, lie, words) => {
    const reader = countingReader();
    const world = makeWorld({ archives: reader.archives });
    await world.offer(pack);
    const installing = world.installWith({ ...world.ports, registryFor: () => lyingRegistry(world, lie) }, ['org/pdf']);
    const error = await refusal(installing);
    expect(error).toMatchObject({ code: 'INTEGRITY_MISMATCH', data: { name: 'org/pdf', version: '1.0.0' } });
    expect(error.message).toContain(words);
    expect(reader.open()).toBe(0);
    expect(existsSync(join(world.project, 'skillpack-lock.json'))).toBe(false);
  });

  test.each(lies)('is refused where the lock file states %s, from the store too', async (_, lie, words) => {
    const reader = countingReader();
    const world = makeWorld({ archives: reader.archives });
    await world.offer(pack);
    await world.install(['org/pdf']);
    const path = join(world.project, 'skillpack-lock.json');
    const lock = JSON.parse(world.read('skillpack-lock.json')) as { packs: Record<string, object> };
    Object.assign(lock.packs['org/pdf']!, lie);
    writeFileSync(path, JSON.stringify(lock));
    for (const gone of ['project/.agents', 'cache']) {
      rmSync(join(world.dir, gone), { recursive: true, force: true });
      const error = await refusal(world.install([], { frozen: true }));
      expect(error).toMatchObject({ code: 'INTEGRITY_MISMATCH' });
      expect(error.message).toContain(words);
      expect(reader.open()).toBe(0);
    }
  });
});

test('of many packs, the one whose archive is refused is named', async () => {
  const world = makeWorld();
  const { digest } = await world.offer(pack);
  await world.offer({ name: 'org/csv', version: '1.0.0' });
  const registry: PackRegistry = {
    ...world.registry,
    getBlob: async (request, options) =>
      request.digest === digest ? Buffer.from('no archive') : world.registry.getBlob(request, options),
  };
  const installing = world.installWith({ ...world.ports, registryFor: () => registry }, ['org/csv', 'org/pdf']);
  const error = await refusal(installing);
  expect(error).toMatchObject({ code: 'ARCHIVE_REFUSED', data: { name: 'org/pdf', reason: 'unknown-format' } });
  expect(error.message).toMatch(/^org\/pdf@1\.0\.0: The archive is refused/u);
});
