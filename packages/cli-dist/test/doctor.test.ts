import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import { unfinishedInstall } from '../src/doctor/unfinished-install.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import { makeWorld, type World } from './world.js';

async function installed(): Promise<World> {
  const world = makeWorld();
  await world.offer({ name: 'org/pdf', version: '1.0.0' });
  await world.offer({ name: 'org/csv', version: '1.0.0' });
  await world.install(['org/pdf', 'org/csv']);
  return world;
}

test('a root that is fine has no findings', async () => {
  const world = await installed();
  expect(await diagnoseRoot({ root: world.root }, world.ports)).toEqual({ root: world.skills, ok: true, findings: [] });
});

const sicknesses: Record<string, { readonly harm: (world: World) => void; readonly kinds: readonly string[] }> = {
  'an unreadable journal': {
    harm: ({ skills }) => writeFileSync(join(skills, '.skillpack/.transaction.json'), '{}'),
    kinds: ['unfinished-install'],
  },
  'a leftover staging folder': {
    harm: ({ skills }) => mkdirSync(join(skills, '.skillpack/.staging/0123456789abcdef/skills'), { recursive: true }),
    kinds: ['leftover-staging'],
  },
  'leftover temporary files': {
    harm: ({ skills, project }) => {
      writeFileSync(join(skills, '.skillpack/.skillpack-tmp-0123456789abcdef'), '');
      writeFileSync(join(project, '.skillpack-tmp-fedcba9876543210'), '');
    },
    kinds: ['leftover-temporary-file', 'leftover-temporary-file'],
  },
  'a missing receipt': {
    harm: ({ skills }) => rmSync(join(skills, '.skillpack/org/pdf/receipt.json')),
    kinds: ['broken-receipt'],
  },
  'a damaged receipt': {
    harm: ({ skills }) => writeFileSync(join(skills, '.skillpack/org/pdf/receipt.json'), '{"name":'),
    kinds: ['broken-receipt'],
  },
  'damaged archives in the store': {
    harm: ({ dir }) => {
      const blobs = join(dir, 'cache/blobs/sha256');
      for (const folder of readdirSync(blobs)) {
        for (const blob of readdirSync(join(blobs, folder))) writeFileSync(join(blobs, folder, blob), 'x');
      }
    },
    kinds: ['damaged-archive', 'damaged-archive'],
  },
};

test.each(Object.entries(sicknesses))('%s is found, and mended when that is asked for', async (_, { harm, kinds }) => {
  const world = await installed();
  harm(world);
  const before = world.tree();
  const found = await diagnoseRoot({ root: world.root }, world.ports);
  expect(found.ok).toBe(false);
  expect(found.findings.map(({ kind }) => kind)).toEqual(kinds);
  expect(world.tree()).toEqual(before);
  const mended = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  expect(mended.findings.map(({ kind, repaired }) => [kind, repaired])).toEqual(kinds.map((kind) => [kind, true]));
  expect(mended.ok).toBe(true);
  expect(await diagnoseRoot({ root: world.root }, world.ports)).toMatchObject({ ok: true, findings: [] });
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true, untracked: [] });
});

test('a receipt that is written anew lists the links of the pack, so that they go with it', async () => {
  const world = makeWorld();
  await world.offer({ name: 'org/pdf', version: '1.0.0' });
  mkdirSync(world.project);
  writeFileSync(join(world.project, 'skillpack.json'), '{"targets":["claude-code"]}');
  await world.install(['org/pdf']);
  const receipt = '.agents/skills/.skillpack/org/pdf/receipt.json';
  const before = world.read(receipt);
  expect(before).toContain('.claude/skills/pdf');
  rmSync(join(world.project, receipt));
  await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  expect(world.read(receipt)).toBe(before);
});

test('what only an install can mend is told with the command that does', async () => {
  const world = await installed();
  writeFileSync(join(world.skills, 'pdf/SKILL.md'), 'edited');
  rmSync(join(world.skills, 'csv'), { recursive: true });
  const { ok, findings } = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  expect(ok).toBe(false);
  expect(findings.map(({ kind, subject, repaired }) => [kind, subject, repaired])).toEqual([
    ['missing-skill', 'org/csv', false],
    ['changed-files', 'org/pdf', false],
  ]);
  await world.install([], { replace: true });
  expect(await diagnoseRoot({ root: world.root }, world.ports)).toMatchObject({ ok: true });
});

test('a lock file with a conflict in it does not keep the rest from being looked at', async () => {
  const world = await installed();
  writeFileSync(join(world.project, 'skillpack-lock.json'), '<<<<<<< ours\n');
  writeFileSync(join(world.skills, 'pdf/SKILL.md'), 'edited');
  const { findings } = await diagnoseRoot({ root: world.root }, world.ports);
  expect(findings.map(({ kind }) => kind)).toEqual(['lock-unreadable', 'changed-files']);
});

test('nothing of a person is taken for a temporary file, whatever it is called', async () => {
  const world = await installed();
  const names = ['.skillpack-tmp-x', '.skillpack-tmp-skillpack.json', '.skillpack-tmp-0123456789abcdef0'];
  for (const name of names) writeFileSync(join(world.project, name), 'mine');
  mkdirSync(join(world.project, '.skillpack-tmp-0123456789abcdef'));
  symlinkSync('skillpack.json', join(world.project, '.skillpack-tmp-1111111111111111'));
  writeFileSync(join(world.project, '.skillpack-tmp-fedcba9876543210'), 'ours');
  mkdirSync(join(world.skills, '.skillpack/.staging'));
  const mended = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  expect(mended).toMatchObject({
    ok: true,
    findings: [{ kind: 'leftover-staging' }, { subject: expect.stringContaining('fedcba') }],
  });
  expect(readdirSync(world.project).filter((name) => name.includes('tmp'))).toEqual([
    '.skillpack-tmp-0123456789abcdef',
    '.skillpack-tmp-0123456789abcdef0',
    '.skillpack-tmp-1111111111111111',
    '.skillpack-tmp-skillpack.json',
    '.skillpack-tmp-x',
  ]);
});

test('an install removes the temporary files that a dead process left', async () => {
  const world = await installed();
  mkdirSync(join(world.skills, '.skillpack/.staging'));
  writeFileSync(join(world.project, '.skillpack-tmp-fedcba9876543210'), '');
  writeFileSync(join(world.skills, '.skillpack/.skillpack-tmp-fedcba9876543210'), '');
  await world.offer({ name: 'org/new', version: '1.0.0' });
  await world.install(['org/new']);
  expect(Object.keys(world.tree()).filter((path) => path.includes('tmp'))).toEqual([]);
});

test('an unfinished install is told of where only that is asked', async () => {
  const world = await installed();
  expect(unfinishedInstall(world.root)).toBeUndefined();
  const journal = join(world.skills, '.skillpack/.transaction.json');
  writeFileSync(journal, '{"formatVersion":9}');
  expect(unfinishedInstall(world.root)).toEqual({
    kind: 'unfinished-install',
    subject: journal,
    message: 'The journal of an install cannot be read.',
    advice: 'Run `skills doctor --repair`: it puts it aside, with what is staged.',
    repairable: true,
    repaired: false,
  });
});
