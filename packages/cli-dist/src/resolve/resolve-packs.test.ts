import { type Digest, type PackDocument, type PackName, type PackRegistry } from '@skillpack/core';
import { expect, test } from 'vitest';
import { refusal } from '../../test/world.js';
import { DocumentSource } from './document-source.js';
import { resolvePacks } from './resolve-packs.js';

const digest = `sha256:${'0'.repeat(64)}` as Digest;

/** A registry that makes up every pack it is asked for. */
function endless(dependenciesOf: (name: PackName, asked: number) => readonly string[]) {
  const asked: PackName[] = [];
  const registry = {
    location: 'r',
    getPack: (name: PackName): Promise<PackDocument> => {
      asked.push(name);
      const names = dependenciesOf(name, asked.length);
      return Promise.resolve(documentOf(name, Object.fromEntries(names.map((needed) => [needed, '*']))));
    },
  } as unknown as PackRegistry; // Nothing else of it is used here.
  const ports = { registryFor: () => registry };
  const resolve = (names: readonly string[]) =>
    resolvePacks(
      {
        wanted: names.map((name) => ({ name: name as PackName, range: '*', explicit: true })),
        pinned: new Map(),
        locked: new Map(),
        moving: new Set(),
      },
      { ...ports, documents: new DocumentSource(ports) },
    );
  return { asked, resolve };
}

test.each([
  { shape: 'a chain', each: 1 },
  { shape: 'a bush', each: 200 },
])('$shape of dependencies without an end is given up soon', async ({ each }) => {
  const { asked, resolve } = endless((_, count) => Array.from({ length: each }, (__, i) => `o/p${count * each + i}`));
  const started = performance.now();
  expect(await refusal(resolve(['o/start']))).toMatchObject({
    code: 'DEPENDENCY_CONFLICT',
    message: expect.stringMatching(/^The dependencies are too many to resolve: /u) as string,
  });
  expect(asked.length).toBeLessThanOrEqual(1001);
  expect(performance.now() - started).toBeLessThan(15_000);
});

test('hundreds of packs, each with what it needs, are no bomb', async () => {
  const { asked, resolve } = endless((name) => (/\d$/u.test(name) ? [`${name}a`, `${name}b`, 'o/common'] : []));
  const wanted = Array.from({ length: 400 }, (_, index) => `o/p${index}`);
  expect((await resolve(wanted)).size).toBe(400 * 3 + 1);
  expect(asked).toHaveLength(400 * 3 + 1);
});

function documentOf(name: PackName, dependencies: Record<string, string>): PackDocument {
  return {
    head: { name, description: '', tags: {}, deprecated: null },
    versions: [
      {
        version: '1.0.0',
        published: '2026-01-01T00:00:00Z',
        archives: [{ format: 'tgz', digest, size: 1 }],
        treeDigest: digest,
        manifest: digest,
        skills: [name],
        dependencies,
        requires: {},
        yanked: null,
        signatures: [],
      },
    ],
  };
}
