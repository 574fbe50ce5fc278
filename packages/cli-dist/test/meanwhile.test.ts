import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import type { InstallOptions } from '../src/install/install-options.js';
import { listInstalled } from '../src/root/list-installed.js';
import { uninstallPacks } from '../src/uninstall/uninstall-packs.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import { makeWorld, readTree, refusal, skill, type World } from './world.js';

async function withVersions(): Promise<World> {
  const world = makeWorld();
  await world.offer({ name: 'org/pdf', version: '1.0.0', skills: { pdf: skill('pdf', 'older') } });
  await world.offer({
    name: 'org/pdf',
    version: '1.1.0',
    skills: { pdf: skill('pdf', 'newer'), two: skill('two') },
  });
  return world;
}

/** An install during whose download somebody works in the root. */
function installWhile(world: World, work: () => void, specs: readonly string[], options: InstallOptions = {}) {
  const registry = {
    ...world.registry,
    getBlob: (...request: Parameters<typeof world.registry.getBlob>) => {
      work();
      return world.registry.getBlob(...request);
    },
  };
  return world.installWith({ ...world.ports, registryFor: () => registry }, specs, options);
}

/** Options of an install during which somebody works in the root right after the commit. */
function afterCommit(work: () => void): InstallOptions {
  return {
    onEvent: ({ kind }) => {
      if (kind === 'committed') work();
    },
  };
}

/** An install that is committed, and whose process dies before it carries anything out. */
async function committedOnly(world: World, specs: readonly string[]): Promise<void> {
  const death = new Error('died');
  const die = (): never => {
    throw death;
  };
  await expect(world.install(specs, afterCommit(die))).rejects.toBe(death);
}

function editPdf(world: World): void {
  writeFileSync(join(world.skills, 'pdf/SKILL.md'), 'edited');
  writeFileSync(join(world.skills, 'pdf/note.md'), 'note');
}

const edited = { 'SKILL.md': 'edited', 'note.md': 'note' };

test('PSA-32: a folder that appears in the place of a skill during the download is not replaced', async () => {
  const world = await withVersions();
  const make = (): void => {
    mkdirSync(join(world.skills, 'pdf'), { recursive: true });
    writeFileSync(join(world.skills, 'pdf/mine.md'), 'precious');
  };
  expect(await refusal(installWhile(world, make, ['org/pdf']))).toMatchObject({ code: 'FOLDER_NOT_OWNED' });
  expect(world.tree('.agents/skills/pdf')).toEqual({ 'mine.md': 'precious' });
  expect(existsSync(join(world.project, 'skillpack-lock.json'))).toBe(false);
  expect(existsSync(join(world.skills, '.skillpack'))).toBe(false);
});

test('PSA-32: a skill that is edited during the download is not replaced; with `replace` it is backed up', async () => {
  const world = await withVersions();
  await world.install(['org/pdf@1.0.0']);
  const edit = (): void => editPdf(world);
  expect(await refusal(installWhile(world, edit, ['org/pdf@1.1.0']))).toMatchObject({
    code: 'FILES_EDITED',
    data: { files: ['pdf/SKILL.md', 'pdf/note.md'] },
  });
  expect(world.tree('.agents/skills/pdf')).toEqual(edited);
  expect(world.lock()['org/pdf']?.version).toBe('1.0.0');

  rmSync(join(world.dir, 'cache'), { recursive: true });
  const editAgain = (): void => writeFileSync(join(world.skills, 'pdf/note.md'), 'more');
  const { backups } = await installWhile(world, editAgain, ['org/pdf@1.1.0'], { replace: true });
  expect(backups.map((path) => readTree(path))).toEqual([{ 'pdf/SKILL.md': 'edited', 'pdf/note.md': 'more' }]);
  expect(world.tree('.agents/skills/pdf')).toEqual(skill('pdf', 'newer'));
});

test('an edit that leaves size and time as they were is seen as well', async () => {
  const world = await withVersions();
  await world.install(['org/pdf@1.0.0']);
  const path = join(world.skills, 'pdf/SKILL.md');
  const { atime, mtime, size } = statSync(path);
  const edit = (): void => {
    writeFileSync(path, 'x'.repeat(size));
    utimesSync(path, atime, mtime);
  };
  expect(await refusal(installWhile(world, edit, ['org/pdf@1.1.0']))).toMatchObject({ code: 'FILES_EDITED' });
  expect(world.read('.agents/skills/pdf/SKILL.md')).toBe('x'.repeat(size));
});

test('what running a skill leaves during the download does not stop an update', async () => {
  const world = await withVersions();
  await world.install(['org/pdf@1.0.0']);
  let judged = 0;
  const run = (): void => {
    mkdirSync(join(world.skills, 'pdf/scripts/__pycache__'), { recursive: true });
    writeFileSync(join(world.skills, 'pdf/scripts/__pycache__/run.pyc'), '');
  };
  const onEvent: InstallOptions['onEvent'] = ({ kind }) => {
    if (kind === 'resolved') judged += 1;
  };
  await installWhile(world, run, ['org/pdf@1.1.0'], { onEvent });
  expect(judged).toBe(1);
  expect(world.tree('.agents/skills/pdf')).toEqual(skill('pdf', 'newer'));
});

test('a skill that is written to without end is not replaced, and that is told', async () => {
  const world = await withVersions();
  await world.install(['org/pdf@1.0.0']);
  writeFileSync(join(world.skills, 'pdf/SKILL.md'), 'edited');
  let count = 0;
  const onEvent: InstallOptions['onEvent'] = ({ kind }) => {
    if (kind === 'staged') writeFileSync(join(world.skills, 'pdf/note.md'), `note ${(count += 1)}`);
  };
  const before = world.lock();
  expect(await refusal(world.install(['org/pdf@1.1.0'], { replace: true, onEvent }))).toMatchObject({ code: 'BUSY' });
  expect(count).toBeGreaterThan(1);
  expect(world.tree('.agents/skills/pdf')).toEqual({ 'SKILL.md': 'edited', 'note.md': `note ${count}` });
  expect(world.lock()).toEqual(before);
  expect(existsSync(join(world.skills, '.skillpack/.staging'))).toBe(false);
  const backups = join(world.project, '.agents/.skillpack-backups');
  expect(existsSync(backups) ? readdirSync(backups) : []).toEqual([]);
});

test('PSA-32: what is edited right after the commit is in a backup that is named', async () => {
  const world = await withVersions();
  await world.install(['org/pdf@1.0.0']);
  const { backups } = await world.install(
    ['org/pdf@1.1.0'],
    afterCommit(() => {
      editPdf(world);
      mkdirSync(join(world.skills, 'two'));
      writeFileSync(join(world.skills, 'two/mine.md'), 'mine');
    }),
  );
  expect(backups.map((path) => readTree(path))).toEqual([
    { 'pdf/SKILL.md': 'edited', 'pdf/note.md': 'note', 'two/mine.md': 'mine' },
  ]);
  expect(world.tree('.agents/skills/pdf')).toEqual(skill('pdf', 'newer'));
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true, untracked: [] });
});

test('PSA-32: an uninstall keeps what is edited right after its commit', async () => {
  const world = await withVersions();
  await world.install(['org/pdf@1.1.0']);
  const { backups } = await uninstallPacks(
    { root: world.root, names: ['org/pdf'] },
    world.ports,
    afterCommit(() => editPdf(world)),
  );
  expect(backups.map((path) => readTree(path))).toEqual([{ 'pdf/SKILL.md': 'edited', 'pdf/note.md': 'note' }]);
});

test('PSA-32: a change that was decided long ago puts nobody’s later work aside without a word', async () => {
  const world = await withVersions();
  await world.install(['org/pdf@1.0.0']);
  await committedOnly(world, ['org/pdf@1.1.0']);
  editPdf(world);
  mkdirSync(join(world.skills, 'two'));
  writeFileSync(join(world.skills, 'two/mine.md'), 'mine');
  // A command that only reads has no way to tell where it would have moved things to: it leaves them.
  expect((await verifyRoot({ root: world.root })).ok).toBe(false);
  await listInstalled(world.root);
  expect(world.tree('.agents/skills/pdf')).toEqual(edited);
  expect(world.tree('.agents/skills/two')).toEqual({ 'mine.md': 'mine' });

  const { backups } = await world.install([]);
  expect(backups.map((path) => readTree(path))).toEqual([
    { 'pdf/SKILL.md': 'edited', 'pdf/note.md': 'note', 'two/mine.md': 'mine' },
  ]);
  expect(world.lock()['org/pdf']?.version).toBe('1.1.0');
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true, untracked: [] });
});

test('a repair that finishes such a change says where it moved the later work', async () => {
  const world = await withVersions();
  await world.install(['org/pdf@1.0.0']);
  await committedOnly(world, ['org/pdf@1.1.0']);
  editPdf(world);
  const { findings } = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  const backups = join(world.project, '.agents/.skillpack-backups');
  const [backup] = readdirSync(backups);
  expect(findings).toMatchObject([{ kind: 'unfinished-install', repaired: true }]);
  expect(findings[0]?.advice).toContain(join(backups, backup!));
  expect(readTree(join(backups, backup!))).toEqual({ 'pdf/SKILL.md': 'edited', 'pdf/note.md': 'note' });
});

test('a folder that takes the place of the one that was to be removed stays', async () => {
  const world = await withVersions();
  await world.install(['org/pdf@1.1.0']);
  await uninstallPacks(
    { root: world.root, names: ['org/pdf'] },
    world.ports,
    afterCommit(() => {
      renameSync(join(world.skills, 'two'), join(world.dir, 'aside'));
      mkdirSync(join(world.skills, 'two'));
      writeFileSync(join(world.skills, 'two/mine.md'), 'mine');
    }),
  );
  expect(world.tree('.agents/skills')).toEqual({ 'two/mine.md': 'mine' });
});

test('a governing file that somebody changes right after the commit stays as they made it, and that is told', async () => {
  const world = await withVersions();
  await world.install(['org/pdf@1.0.0']);
  const theirs = `${world.read('skillpack-lock.json')}\n`;
  const { warnings } = await world.install(
    ['org/pdf@1.1.0'],
    afterCommit(() => writeFileSync(join(world.project, 'skillpack-lock.json'), theirs)),
  );
  expect(world.read('skillpack-lock.json')).toBe(theirs);
  expect(warnings).toEqual([{ kind: 'lock-changed', path: join(world.project, 'skillpack-lock.json') }]);
});
