import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import type { DoctorFinding } from '../src/doctor/doctor-report.js';
import { unfinishedInstall } from '../src/doctor/unfinished-install.js';
import { uninstallPacks } from '../src/uninstall/uninstall-packs.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import { installedWorld } from './installed-world.js';
import { commandsIn, runWords } from './run-words.js';
import { mine } from './sick-roots/sickness.js';
import { sicknesses } from './sick-roots/sicknesses.js';
import { makeWorld, packed, readTree, type World } from './world.js';

async function installed(): Promise<World> {
  const world = makeWorld();
  await world.offer({ name: 'org/pdf', version: '1.0.0' });
  await world.offer({ name: 'org/csv', version: '1.0.0' });
  await world.install(['org/pdf', 'org/csv']);
  return world;
}

test('a root that is fine has no findings', async () => {
  const world = await installed();
  const fine = { root: world.skills, ok: true, findings: [], notes: [] };
  expect(await diagnoseRoot({ root: world.root }, world.ports)).toEqual(fine);
});

test('what the lock file alone keeps is no fault, and noted with the command that removes it', async () => {
  const world = await installed();
  await world.offer({ name: 'org/base', version: '1.0.0' });
  await world.offer({ name: 'org/tool', version: '1.0.0', dependencies: { 'org/base': '^1.0.0' } });
  await world.install(['org/tool'], { save: false });
  const diagnose = () => diagnoseRoot({ root: world.root }, world.ports);
  const note = (name: string) => ({ subject: name, advice: expect.stringContaining(`\`skills uninstall ${name}\``) });
  expect((await diagnose()).notes).toMatchObject([note('org/tool')]);
  expect(await diagnose()).toMatchObject({ ok: true, findings: [] });
  // By hand, as a person does it.
  writeFileSync(join(world.project, 'skillpack.json'), '{"packs":{"org/csv":"^1.0.0"}}');
  expect((await diagnose()).notes).toMatchObject([note('org/pdf'), note('org/tool')]);
  await uninstallPacks({ root: world.root, names: ['org/pdf', 'org/tool'] }, world.ports);
  expect(await diagnose()).toMatchObject({ ok: true, findings: [], notes: [] });
  expect(Object.keys(world.lock())).toEqual(['org/csv']);
});

const page = fileURLToPath(new URL('../../../docs/doctor.md', import.meta.url));

// `UPDATE_DOCS=1` writes the states as they are into the page.
test('the page on the doctor lists every state, what is found and the cure', () => {
  const text = readFileSync(page, 'utf8');
  const rows = sicknesses.map(({ state, finds, cure }) => [
    state,
    [...new Set(finds)].map((kind) => `\`${kind}\``).join(', '),
    cure,
  ]);
  const table = /^\| -+ \| -+ \| -+ \|\n((?:\|.*\|\n)*)/mu;
  if (process.env['UPDATE_DOCS'] === '1') {
    const written = rows.map((row) => `| ${row.join(' | ')} |\n`).join('');
    writeFileSync(
      page,
      text.replace(table, (whole: string, old: string) => whole.slice(0, whole.length - old.length) + written),
    );
  }
  const listed = (table.exec(readFileSync(page, 'utf8'))?.[1] ?? '').trimEnd().split('\n');
  expect(
    listed.map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ),
  ).toEqual(rows);
  expect(new Set(rows.map(([state]) => state)).size).toBe(rows.length);
});

const posix = process.platform !== 'win32';

/** Whether something that a person wrote is still in a folder, wherever. */
function keeps(dir: string): boolean {
  return Object.values(readTree(dir)).some((text) => text.includes(mine));
}

test.runIf(posix).each(sicknesses)('the doctor finds $state; cure: $cure', async ({ finds, cure, harm, byHand }) => {
  const world = await installedWorld();
  await harm(world);
  const before = treeOf(world);
  const precious = keeps(world.dir);
  const found = await diagnoseRoot({ root: world.root }, world.ports);
  expect(found.findings.map(({ kind }) => kind)).toEqual(finds);
  expect(found.ok).toBe(false);
  expect(treeOf(world)).toEqual(before);
  for (const { message, advice } of found.findings) {
    expect([message, advice]).toEqual([expect.stringMatching(/\.$/u), expect.stringMatching(/[.?]$/u)]);
  }
  const cured = await diagnoseRoot({ root: world.root }, world.ports, { repair: true, lockTimeout: 200 }).catch(asBusy);
  if (cure === 'repair') expect(cured).toMatchObject({ ok: true });
  else expect(cured?.ok ?? false).toBe(false);
  await byHand?.(world);
  for (const command of cure === 'repair' ? [] : commandsIn((cured?.findings ?? []).map(adviceOf).join('\n'))) {
    const outcome = await runWords(command, world);
    if (!command.startsWith('skills verify')) expect(outcome, command).toEqual({ ok: true, said: '', advice: '' });
  }
  expect(await diagnoseRoot({ root: world.root }, world.ports)).toMatchObject({ ok: true, findings: [] });
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true });
  expect(keeps(world.dir)).toBe(precious);
});

function adviceOf({ advice, repaired }: DoctorFinding): string {
  return repaired ? '' : advice;
}

function asBusy(error: unknown): undefined {
  expect(error).toMatchObject({ code: 'BUSY' });
}

/** The project but for what says which process was there. */
function treeOf(world: World): Record<string, string> {
  return existsSync(world.skills) ? world.tree() : {};
}

const backupName = '2026-11-22T10-00-00Z';

test.runIf(posix).each<[string, (backup: string, skills: string) => void]>([
  [
    'a link to it stands in the place of the skill',
    (backup, skills) => symlinkSync(join(backup, 'pdf'), join(skills, 'pdf')),
  ],
  [
    'a link to a folder of it stands in the place of that folder',
    (backup, skills) => {
      mkdirSync(join(skills, 'pdf'));
      symlinkSync(join(backup, 'pdf/sub'), join(skills, 'pdf/sub'));
      linkSync(join(backup, 'pdf/sub/mine.md'), join(backup, '../another-name.md'));
    },
  ],
  [
    'nothing is in it',
    (backup, skills) => {
      mkdirSync(join(skills, 'pdf/sub'), { recursive: true });
      rmSync(join(backup, 'pdf/sub/mine.md'));
    },
  ],
])('a backup is kept by a repair where %s', async (_, harm) => {
  const world = await installed();
  const backup = join(world.project, '.agents/.skillpack-backups', backupName);
  mkdirSync(join(backup, 'pdf/sub'), { recursive: true });
  writeFileSync(join(backup, 'pdf/sub/mine.md'), mine);
  rmSync(join(world.skills, 'pdf'), { recursive: true });
  harm(backup, world.skills);
  const before = readTree(backup);
  const { findings } = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  expect(findings.map(({ kind }) => kind)).not.toContain('orphan-backup');
  expect(existsSync(join(backup, 'pdf/sub'))).toBe(true);
  expect(readTree(backup)).toEqual(before);
});

test('a folder of the cache that is not there yet is nothing to find', async () => {
  const world = await installedWorld();
  rmSync(join(world.dir, 'cache'), { recursive: true });
  expect(await diagnoseRoot({ root: world.root }, world.ports)).toMatchObject({ ok: true, findings: [] });
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

test('a lock file that is made of what is installed is the one that was lost', async () => {
  const world = makeWorld();
  await world.offer({ name: 'org/base', version: '1.2.0' });
  await world.offer({ name: 'org/pdf', version: '1.0.0', dependencies: { 'org/base': '^1.0.0' } });
  await world.offer({ name: 'org/next', version: '2.0.0-rc.1' });
  await world.offer({ name: 'org/csv', version: '1.0.0' });
  writeFileSync(join(world.dir, 'own.zip'), packed({ name: 'me/own', version: '1.0.0', format: 'zip' }).archive);
  await world.install(['org/pdf', 'org/next@2.0.0-rc.1', './own.zip']);
  await world.install(['org/csv'], { save: false });
  const before = world.read('skillpack-lock.json');
  rmSync(join(world.project, 'skillpack-lock.json'));
  await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  expect(world.read('skillpack-lock.json')).toBe(before);
});

test('where nothing that is installed can be locked, no lock file is made', async () => {
  const world = await installedWorld();
  rmSync(join(world.skills, '.skillpack'), { recursive: true });
  writeFileSync(join(world.project, 'skillpack-lock.json'), '');
  const { findings } = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  expect(findings.map(({ kind, repaired, advice }) => [kind, repaired, advice])).toEqual([
    ['lock-unreadable', true, expect.stringMatching(/put-aside-\w+\. Nothing that is installed could be locked\.$/u)],
    ['project-drift', false, 'Run `skills install`.'],
  ]);
  expect(existsSync(join(world.project, 'skillpack-lock.json'))).toBe(false);
});

test('a repair that cannot be done is told of with its reason, and changes nothing', async () => {
  const world = await installedWorld();
  writeFileSync(join(world.project, '.agents/.skillpack-backups'), mine);
  writeFileSync(join(world.project, 'skillpack-lock.json'), mine);
  const before = world.tree();
  const { ok, findings } = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  expect([ok, findings.map(({ kind, repairable, repaired }) => [kind, repairable, repaired])]).toEqual([
    false,
    [
      ['blocked-path', false, false],
      ['lock-unreadable', false, false],
    ],
  ]);
  expect(findings[1]?.message).toMatch(/It could not be mended: .*\.skillpack-backups is not a folder/u);
  expect(world.tree()).toEqual(before);
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
