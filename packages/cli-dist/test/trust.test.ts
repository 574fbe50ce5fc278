import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SkillsError, type PackRegistry } from '@skillpack/core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import { revokedPacks } from '../src/trust/revoked-packs.js';
import { uninstallPacks } from '../src/uninstall/uninstall-packs.js';
import { outdatedPacks } from '../src/update/outdated-packs.js';
import { updatePacks } from '../src/update/update-packs.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import { makeWorld, packed, refusal, skill, type World } from './world.js';

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

describe('a pack that is revoked after it was installed', () => {
  async function revokedLater(): Promise<World> {
    const world = makeWorld();
    const { manifest } = await world.offer({ name: 'org/pdf', version: '1.0.0' });
    await world.offer({ name: 'org/csv', version: '1.0.0' });
    await world.install(['org/pdf', 'org/csv']);
    world.registry.revoke({ digest: manifest.treeDigest, reason: 'malware' });
    return world;
  }
  const revoked = [{ name: 'org/pdf', version: '1.0.0', reason: 'malware' }];
  const warning = { kind: 'revoked', ...revoked[0] };
  const nobody = (): never => {
    throw new Error('nobody is asked');
  };

  test('is told of by what asks the registry, and from then on by what asks nobody', async () => {
    const world = await revokedLater();
    const silent = { ...world.ports, registryFor: nobody };
    expect((await world.installWith(silent, [])).warnings).toEqual([]);
    expect(revokedPacks(world.root)).toEqual([]);
    expect((await outdatedPacks({ root: world.root }, world.ports)).revoked).toEqual(revoked);
    expect((await world.installWith(silent, [])).warnings).toEqual([warning]);
    expect((await world.installWith(silent, [], { frozen: true, offline: true })).warnings).toEqual([warning]);
    expect(revokedPacks(world.root)).toEqual(revoked);
    const { ok, findings } = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
    expect([ok, findings.map(({ kind, subject }) => [kind, subject])]).toEqual([false, [['revoked-pack', 'org/pdf']]]);
    expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true });
  });

  test('is told of by an update that changes nothing', async () => {
    const world = await revokedLater();
    expect((await updatePacks({ root: world.root, names: [] }, world.ports)).warnings).toEqual([warning]);
    expect(revokedPacks(world.root)).toEqual(revoked);
  });

  test('cannot be installed anew without a network either', async () => {
    const world = await revokedLater();
    await outdatedPacks({ root: world.root }, world.ports);
    rmSync(join(world.skills, 'pdf'), { recursive: true });
    expect(await refusal(world.install([], { offline: true }))).toMatchObject({ code: 'VERSION_REVOKED' });
  });

  test('is not told of once it is gone, or another version, or the registry takes it back', async () => {
    const world = await revokedLater();
    await outdatedPacks({ root: world.root }, world.ports);
    await uninstallPacks({ root: world.root, names: ['org/pdf'] }, world.ports);
    expect(Object.keys(world.tree()).filter((path) => path.includes('revoked'))).toEqual([]);

    const second = await revokedLater();
    await outdatedPacks({ root: second.root }, second.ports);
    await second.offer({ name: 'org/pdf', version: '1.1.0', skills: { pdf: skill('pdf', 'Better.') } });
    expect((await updatePacks({ root: second.root, names: [] }, second.ports)).warnings).toEqual([]);
    expect(revokedPacks(second.root)).toEqual([]);

    const third = await revokedLater();
    await outdatedPacks({ root: third.root }, third.ports);
    const registry: PackRegistry = { ...third.registry, getRevocations: () => Promise.resolve([]) };
    await outdatedPacks({ root: third.root }, { ...third.ports, registryFor: () => registry });
    expect(revokedPacks(third.root)).toEqual([]);
  });

  test.each(['', '{', '[]', '{"revoked":[7,{"name":"../x"}]}', `{"revoked":${'['.repeat(5000)}${']'.repeat(5000)}}`])(
    'a note that says nothing that can be read (%#) is passed over',
    async (text) => {
      const world = await revokedLater();
      writeFileSync(join(world.skills, '.skillpack/.revoked.json'), text);
      expect(revokedPacks(world.root)).toEqual([]);
      expect((await outdatedPacks({ root: world.root }, world.ports)).revoked).toEqual(revoked);
      expect(revokedPacks(world.root)).toEqual(revoked);
    },
  );

  test('is told of still where the registry cannot be reached', async () => {
    const world = await revokedLater();
    await outdatedPacks({ root: world.root }, world.ports);
    const getRevocations = () => Promise.reject(new SkillsError('NETWORK_ERROR', 'It is not there.'));
    const registry: PackRegistry = { ...world.registry, getRevocations };
    await outdatedPacks({ root: world.root }, { ...world.ports, registryFor: () => registry });
    expect(revokedPacks(world.root)).toEqual(revoked);
  });

  test.each([
    ['other content', { digest: `sha256:${'0'.repeat(64)}` }, []],
    ['a reason of 1024 characters', { reason: 'x'.repeat(1024) }, [{ ...revoked[0], reason: 'x'.repeat(1024) }]],
    ['a reason that is longer', { reason: 'x'.repeat(1025) }, []],
  ])('a note of %s counts for no more than it says', async (_, edit, told) => {
    const world = await revokedLater();
    const notes = join(world.skills, '.skillpack/.revoked.json');
    await outdatedPacks({ root: world.root }, world.ports);
    const {
      revoked: [note],
    } = JSON.parse(readFileSync(notes, 'utf8')) as { revoked: readonly object[] }; // as it was written
    writeFileSync(notes, JSON.stringify({ formatVersion: 1, revoked: [{ ...note, ...edit }] }));
    expect(revokedPacks(world.root)).toEqual(told);
  });

  test('a dry run writes nothing down', async () => {
    const world = await revokedLater();
    const before = world.tree();
    const options = { dryRun: true };
    expect((await updatePacks({ root: world.root, names: [] }, world.ports, options)).warnings).toEqual([warning]);
    expect(world.tree()).toEqual(before);
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

test('a registry that does not say in time what it revoked is told of, and keeps nobody', async () => {
  const world = makeWorld();
  await world.offer({ name: 'org/pdf', version: '1.0.0' });
  const { timeout } = AbortSignal;
  const asked: number[] = [];
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    asked.push(ms);
    return timeout.call(AbortSignal, 1);
  });
  onTestFinished(() => spy.mockRestore());
  const getRevocations: PackRegistry['getRevocations'] = ({ signal } = {}) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(new SkillsError('INTERRUPTED', 'It was stopped.')));
    });
  const registry: PackRegistry = { ...world.registry, getRevocations };
  const { warnings } = await world.installWith({ ...world.ports, registryFor: () => registry }, ['org/pdf']);
  expect(warnings).toEqual([{ kind: 'revocations-unchecked', registry: 'memory:', reason: 'It was stopped.' }]);
  expect(asked).toEqual([5_000]);
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
