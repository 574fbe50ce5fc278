import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SkillsError, type PackRegistry } from '@skillpack/core';
import { describe, expect, test } from 'vitest';
import { makeWorld, packed, refusal, skill } from './world.js';

type ByDigest = 'treeDigest' | 'digest';

describe.each<{ by: string; digest: ByDigest }>([
  { by: 'its content', digest: 'treeDigest' },
  { by: 'one archive of it', digest: 'digest' },
])('what was revoked by $by', ({ digest: by }) => {
  test('is refused, and leaves nothing', async () => {
    const world = makeWorld();
    const { digest, manifest } = await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.offer({ name: 'org/csv', version: '1.0.0' });
    await world.install(['org/csv']);
    world.registry.revoke({ digest: by === 'digest' ? digest : manifest.treeDigest, reason: 'malware' });
    const before = world.tree();
    expect(await refusal(world.install(['org/pdf']))).toMatchObject({
      code: 'VERSION_REVOKED',
      data: { name: 'org/pdf', version: '1.0.0', reason: 'malware' },
    });
    expect(world.tree()).toEqual(before);
  });

  test('is told of where it is installed already', async () => {
    const world = makeWorld();
    const { digest, manifest } = await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.offer({ name: 'org/csv', version: '1.0.0' });
    await world.install(['org/pdf']);
    world.registry.revoke({ digest: by === 'digest' ? digest : manifest.treeDigest, reason: 'malware' });
    expect((await world.install(['org/csv'])).warnings).toEqual([
      { kind: 'revoked', name: 'org/pdf', version: '1.0.0', reason: 'malware' },
    ]);
  });
});

test('a list of revocations that cannot be read stops an install; one that cannot be reached is told of', async () => {
  const world = makeWorld();
  await world.offer({ name: 'org/pdf', version: '1.0.0' });
  const failing = (code: 'INVALID_INDEX' | 'NETWORK_ERROR') => {
    const getRevocations = (): Promise<never> => Promise.reject(new SkillsError(code, 'It is not as it should be.'));
    const registry: PackRegistry = { ...world.registry, getRevocations };
    return world.installWith({ ...world.ports, registryFor: () => registry }, ['org/pdf']);
  };
  expect(await refusal(failing('INVALID_INDEX'))).toMatchObject({ code: 'INVALID_INDEX' });
  expect((await failing('NETWORK_ERROR')).warnings).toEqual([
    { kind: 'revocations-unchecked', registry: 'memory:', reason: 'It is not as it should be.' },
  ]);
});

describe('a locked archive with other bytes is refused, though it unpacks to the same files', () => {
  const description = { name: 'org/pdf', version: '1.0.0', skills: { pdf: skill('pdf') } } as const;
  const first = packed({ ...description, format: 'tgz' });
  const second = packed({ ...description, format: 'zip' });
  const refused = { code: 'INTEGRITY_MISMATCH', data: { expected: first.digest, actual: second.digest } };

  test('on this machine', async () => {
    const world = makeWorld();
    expect(second.manifest.treeDigest).toBe(first.manifest.treeDigest);
    writeFileSync(join(world.dir, 'pdf.tgz'), first.archive);
    await world.install(['./pdf.tgz']);
    rmSync(join(world.project, '.agents'), { recursive: true });
    writeFileSync(join(world.dir, 'pdf.tgz'), second.archive);
    expect(await refusal(world.install([], { frozen: true }))).toMatchObject(refused);
  });

  test('behind a URL', async () => {
    let served = first.archive;
    const world = makeWorld({ download: () => Promise.resolve(served) });
    await world.install(['https://example.org/pdf.tgz']);
    rmSync(join(world.project, '.agents'), { recursive: true });
    await world.ports.store.clean();
    served = second.archive;
    expect(await refusal(world.install([], { frozen: true }))).toMatchObject(refused);
  });
});
