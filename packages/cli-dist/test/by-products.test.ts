import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { adviseOnFindings } from '../src/doctor/advise-on-findings.js';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import { uninstallPacks } from '../src/uninstall/uninstall-packs.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import { makeWorld, readTree, refusal, skill, type World } from './world.js';

const script = { 'scripts/helper.py': 'print(1)\n' };

async function installedWith(path: string): Promise<World> {
  const world = makeWorld();
  await world.offer({ name: 'org/pdf', version: '1.0.0', skills: { pdf: { ...skill('pdf'), ...script } } });
  await world.offer({ name: 'org/pdf', version: '2.0.0', skills: { pdf: { ...skill('pdf', 'Newer.'), ...script } } });
  await world.install(['org/pdf@1.0.0']);
  mkdirSync(dirname(join(world.skills, 'pdf', path)), { recursive: true });
  writeFileSync(join(world.skills, 'pdf', path), 'mine');
  return world;
}

const mine = [
  'scripts/__pycache__/notes.md',
  'scripts/__pycache__/deep/helper.pyc',
  'scripts/__pycache__/.pyc',
  'scripts/helper.pyc',
  'scripts/helper.pyo',
  'scripts/DS_Store',
  '.DS_Store/notes.md',
];

test.each(mine)('PSA-33: %s is a person’s: nothing that replaces or removes the skill loses it', async (path) => {
  const world = await installedWith(path);
  const file = `pdf/${path}`;
  expect((await world.install([])).warnings).toMatchObject([{ kind: 'edited', files: [file] }]);
  expect(await refusal(world.install([], { frozen: true }))).toMatchObject({ code: 'FILES_EDITED' });
  expect(await refusal(world.install(['org/pdf@2.0.0']))).toMatchObject({ code: 'FILES_EDITED' });
  const { removed } = await uninstallPacks({ root: world.root, names: ['org/pdf'] }, world.ports, { dryRun: true });
  expect(removed).toMatchObject([{ kept: [file] }]);
  const { backups } = await world.install(['org/pdf@2.0.0'], { replace: true });
  expect(backups.map((backup) => readTree(backup))).toEqual([{ [file]: 'mine' }]);
  expect((await verifyRoot({ root: world.root })).ok).toBe(true);
});

const made = [
  'scripts/__pycache__/helper.cpython-313.pyc',
  'scripts/__pycache__/helper.cpython-34.pyo',
  '__pycache__/helper.cpython-313.opt-1.pyc',
  '.DS_Store',
  'scripts/Thumbs.db',
  'scripts/desktop.ini',
];

test.each(made)('%s is made by a program: it is told of, stops nothing, and goes without a copy', async (path) => {
  const world = await installedWith(path);
  const file = `pdf/${path}`;
  const report = await verifyRoot({ root: world.root });
  expect(report).toMatchObject({ ok: false, packs: [{ findings: [{ kind: 'extra', path: file }] }] });
  const advice = adviseOnFindings(report);
  expect(advice).toContain(`what programs make by themselves, as ${file}, goes without a copy`);
  const { findings } = await diagnoseRoot({ root: world.root }, world.ports);
  expect(findings).toMatchObject([{ kind: 'changed-files', advice: expect.stringContaining(advice) }]);
  expect((await world.install([], { frozen: true })).warnings).toEqual([]);
  expect(await world.install([], { replace: true })).toMatchObject({ backups: [], changes: [{ kind: 'repair' }] });
  expect((await verifyRoot({ root: world.root })).ok).toBe(true);
});
