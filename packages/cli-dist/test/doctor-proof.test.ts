import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import { recordRemedy } from '../src/doctor/restore-record.js';
import { candidateOfEntry } from '../src/lock/lock-entry.js';
import { readGoverningFiles } from '../src/lock/root-state.js';
import { rootPaths } from '../src/root/root-paths.js';
import { makeWorld, named, skill, type World } from './world.js';

const record = '.agents/skills/.skillpack/org/pdf';

interface Lock {
  readonly packs: Record<string, { version: string; treeDigest: string }>;
}

/** `org/pdf` 1.0.0 as it is installed, with the archive, the manifest and the lock file of 1.1.0 at hand. */
async function twoVersions(): Promise<{ readonly world: World; readonly newer: { manifest: string; lock: Lock } }> {
  const world = makeWorld();
  await world.offer({ name: 'org/csv', version: '1.0.0' });
  await world.offer({ name: 'org/pdf', version: '1.0.0', skills: { pdf: skill('pdf', 'old') } });
  await world.offer({ name: 'org/pdf', version: '1.1.0', skills: { pdf: skill('pdf', 'new') } });
  await world.install(['org/pdf@1.1.0', 'org/csv']);
  // The lock file of a world is as formatLockFile writes it.
  const newer = {
    manifest: world.read(`${record}/manifest.json`),
    lock: JSON.parse(world.read('skillpack-lock.json')) as Lock,
  };
  await world.install(['org/pdf@1.0.0']);
  return { world, newer };
}

test('a record that differs from what is locked is not replaced by that of content that is not here', async () => {
  const { world, newer } = await twoVersions();
  const entry = { ...newer.lock.packs['org/pdf'], version: '1.0.0' };
  const lock = { ...newer.lock, packs: { ...newer.lock.packs, 'org/pdf': entry } };
  writeFileSync(join(world.project, 'skillpack-lock.json'), JSON.stringify(lock));
  const before = world.tree(record);
  const { ok, findings } = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  expect(ok).toBe(false);
  expect(findings.filter(({ repaired }) => repaired)).toEqual([]);
  expect(world.tree(record)).toEqual(before);
});

test('a lock file that is made anew leaves out a pack whose manifest is another one’s', async () => {
  const { world, newer } = await twoVersions();
  writeFileSync(join(world.project, record, 'manifest.json'), newer.manifest);
  rmSync(join(world.project, 'skillpack-lock.json'));
  await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  expect(Object.keys(world.lock())).toEqual(['org/csv']);
});

test('a receipt is not written anew from a manifest of other content than is locked', async () => {
  const { world, newer } = await twoVersions();
  const before = world.read(`${record}/manifest.json`);
  writeFileSync(join(world.project, record, 'manifest.json'), newer.manifest);
  rmSync(join(world.project, record, 'receipt.json'));
  writeFileSync(join(world.skills, 'pdf/SKILL.md'), 'edited');
  await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  expect(existsSync(join(world.project, record, 'receipt.json'))).toBe(true);
  expect(world.read(`${record}/manifest.json`)).toBe(before);
});

test.skipIf(process.platform === 'win32')('a record is not written anew through a link', async () => {
  const { world } = await twoVersions();
  const elsewhere = join(world.dir, 'elsewhere');
  mkdirSync(join(elsewhere, 'pdf'), { recursive: true });
  writeFileSync(join(elsewhere, 'pdf/receipt.json'), 'mine');
  rmSync(join(world.skills, '.skillpack/org'), { recursive: true });
  symlinkSync(elsewhere, join(world.skills, '.skillpack/org'));
  await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  expect(readdirSync(elsewhere, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual(['pdf', 'pdf/receipt.json']);
  expect(readFileSync(join(elsewhere, 'pdf/receipt.json'), 'utf8')).toBe('mine');
});

test.skipIf(process.platform === 'win32').each(['.skillpack/org', '.skillpack/org/pdf'])(
  'a record is not written anew through a link that took the place of %s after it was looked at',
  async (place) => {
    const { world } = await twoVersions();
    const paths = rootPaths(world.root);
    const name = named('org/pdf');
    const pack = candidateOfEntry(name, readGoverningFiles(paths).lock!.packs[name]!, world.project);
    const remedy = recordRemedy(pack, { paths, ports: world.ports })!;
    const elsewhere = join(world.dir, 'elsewhere');
    mkdirSync(join(elsewhere, 'pdf'), { recursive: true });
    rmSync(join(world.skills, place), { recursive: true });
    symlinkSync(elsewhere, join(world.skills, place));
    expect(remedy.apply).toThrow(expect.objectContaining({ code: 'PATH_TRAVERSAL_BLOCKED' }));
    expect(readdirSync(elsewhere, { recursive: true })).toEqual(['pdf']);
  },
);

test('a repair of several entries of the lock file puts the file aside once, as it was', async () => {
  const { world, newer } = await twoVersions();
  await world.install(['org/pdf@1.1.0']);
  const entries = Object.entries(newer.lock.packs).map(([name, entry]) => [name, { ...entry, skills: ['other'] }]);
  const drifted = JSON.stringify({ ...newer.lock, packs: Object.fromEntries(entries) as object });
  const right = world.read('skillpack-lock.json');
  writeFileSync(join(world.project, 'skillpack-lock.json'), drifted);
  const { ok, findings } = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  expect([ok, findings.length]).toEqual([true, 2]);
  expect(Object.values(world.tree('.agents/.skillpack-backups'))).toEqual([drifted]);
  expect(world.read('skillpack-lock.json')).toBe(right);
});
