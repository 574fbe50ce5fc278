import fs, {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import type { UninstallOptions } from '../src/uninstall/uninstall-report.js';
import { uninstallPacks } from '../src/uninstall/uninstall-packs.js';
import { commandsIn } from './run-words.js';
import { makeWorld, readTree, refusal, skill, type World } from './world.js';

async function installed(): Promise<World> {
  const world = makeWorld();
  await world.offer({ name: 'org/base', version: '1.0.0' });
  await world.offer({ name: 'org/pdf', version: '1.0.0', dependencies: { 'org/base': '^1' } });
  await world.offer({ name: 'org/two', version: '1.0.0', skills: { one: skill('one'), other: skill('other') } });
  mkdirSync(join(world.skills, 'mine'), { recursive: true });
  writeFileSync(join(world.skills, 'mine/SKILL.md'), 'mine');
  return world;
}

function uninstall(world: World, names: readonly string[], options: UninstallOptions = {}) {
  return uninstallPacks({ root: world.root, names }, world.ports, options);
}

test('PSA-32: removes exactly what was installed, and what was there only for it', async () => {
  const world = await installed();
  await world.install(['org/pdf', 'org/two']);
  const report = await uninstall(world, ['pdf']);
  expect(report.removed).toMatchObject([
    { name: 'org/base', reason: 'orphan', skills: ['base'], kept: [] },
    { name: 'org/pdf', reason: 'requested', skills: ['pdf'], kept: [] },
  ]);
  expect(readdirSync(world.skills).toSorted()).toEqual(['.skillpack', 'mine', 'one', 'other']);
  expect(Object.keys(world.lock())).toEqual(['org/two']);
  expect(JSON.parse(world.read('skillpack.json'))).toMatchObject({ packs: { 'org/two': '^1.0.0' } });
  await uninstall(world, ['org/two']);
  expect(readdirSync(world.skills)).toEqual(['mine']);
});

const losses: Record<string, (world: World) => void> = {
  'the record is lost': ({ skills }) => rmSync(join(skills, '.skillpack/org/two'), { recursive: true }),
  'every record is lost': ({ skills }) => rmSync(join(skills, '.skillpack'), { recursive: true }),
  'nothing but a record without receipt and manifest is left': ({ skills }) => {
    rmSync(join(skills, '.skillpack/org/two/receipt.json'));
    rmSync(join(skills, '.skillpack/org/two/manifest.json'));
  },
};

test.each(Object.keys(losses))(
  'PSA-32: where %s, an uninstall is refused and changes nothing; after a repair it removes everything',
  async (loss) => {
    const world = await installed();
    await world.install(['org/two']);
    losses[loss]?.(world);
    const before = world.tree();
    for (const options of [{}, { force: true }, { dryRun: true }]) {
      const error = await refusal(uninstall(world, ['org/two'], options));
      expect(error).toMatchObject({ code: 'FOLDER_NOT_OWNED', data: { name: 'org/two', skill: 'one' } });
      expect(commandsIn(`${error.hint}`)).toEqual(['skills doctor --repair']);
    }
    expect(world.tree()).toEqual(before);
    expect(await diagnoseRoot({ root: world.root }, world.ports, { repair: true })).toMatchObject({ ok: true });
    expect(await uninstall(world, ['org/two'])).toMatchObject({ removed: [{ skills: ['one', 'other'], kept: [] }] });
    expect(readdirSync(world.skills)).toEqual(['mine']);
  },
);

test('PSA-32: where a record is lost and the skill is edited, the refusal says to move it away; then it is removed', async () => {
  const world = await installed();
  await world.install(['org/two']);
  losses['every record is lost']?.(world);
  writeFileSync(join(world.skills, 'one/SKILL.md'), 'edited');
  const before = world.tree();
  const { code, hint } = await refusal(uninstall(world, ['org/two'], { force: true }));
  expect(code).toBe('FOLDER_NOT_OWNED');
  expect(hint).toContain(`Move ${join(world.skills, 'one')} and ${join(world.skills, 'other')} away`);
  expect(world.tree()).toEqual(before);
  for (const name of ['one', 'other']) rmSync(join(world.skills, name), { recursive: true });
  await uninstall(world, ['org/two']);
  expect(Object.keys(world.lock())).toEqual([]);
});

test('the last uninstall leaves no folder of ours behind', async () => {
  const world = await installed();
  rmSync(world.skills, { recursive: true });
  await world.install(['org/two']);
  await uninstall(world, ['org/two']);
  expect(existsSync(world.skills)).toBe(false);
});

test('PSA-32: edited and added files stay and are told of; with `force` they go', async () => {
  const world = await installed();
  await world.install(['org/two']);
  writeFileSync(join(world.skills, 'one/SKILL.md'), 'edited');
  mkdirSync(join(world.skills, 'other/out'));
  writeFileSync(join(world.skills, 'other/out/result.csv'), 'mine');
  symlinkSync('/nowhere', join(world.skills, 'other/link'));
  const plan = await uninstall(world, ['org/two'], { dryRun: true });
  expect(plan).toMatchObject({
    dryRun: true,
    removed: [{ kept: ['one/SKILL.md', 'other/link', 'other/out/result.csv'] }],
  });
  expect(Object.keys(world.lock())).toEqual(['org/two']);
  expect((await uninstall(world, ['org/two'])).removed).toEqual(plan.removed);
  expect(world.tree('.agents/skills')).toEqual({
    'mine/SKILL.md': 'mine',
    'one/SKILL.md': 'edited',
    'other/link': 'not a file',
    'other/out/result.csv': 'mine',
  });
  expect(await refusal(world.install(['org/two']))).toMatchObject({ code: 'FOLDER_NOT_OWNED' });
  rmSync(join(world.skills, 'one'), { recursive: true });
  rmSync(join(world.skills, 'other'), { recursive: true });
  await world.install(['org/two']);
  writeFileSync(join(world.skills, 'one/SKILL.md'), 'edited');
  expect((await uninstall(world, ['org/two'], { force: true })).removed).toMatchObject([{ kept: [] }]);
  expect(readdirSync(world.skills)).toEqual(['mine']);
});

test('PSA-32: a backup keeps every skill as it was', async () => {
  const world = await installed();
  await world.install(['org/two']);
  writeFileSync(join(world.skills, 'one/SKILL.md'), 'edited');
  const { backups } = await uninstall(world, ['org/two'], { force: true, backup: true });
  expect(backups).toEqual([join(world.project, '.agents/.skillpack-backups/2026-11-22T10-00-00Z')]);
  expect(world.tree('.agents/.skillpack-backups/2026-11-22T10-00-00Z')).toEqual({
    'one/SKILL.md': 'edited',
    'other/SKILL.md': skill('other')['SKILL.md'],
  });
});

test('PSA-32: a backup of files that stay is a copy, with all that the skill holds, and does not change with them', async () => {
  const world = makeWorld();
  await world.offer({
    name: 'org/pdf',
    version: '1.0.0',
    skills: { pdf: { ...skill('pdf'), 'scripts/run.sh': '#!/bin/sh\n' } },
    executable: ['pdf/scripts/run.sh'],
  });
  await world.install(['org/pdf']);
  writeFileSync(join(world.skills, 'pdf/SKILL.md'), 'edited');
  const { backups } = await uninstall(world, ['org/pdf'], { backup: true });
  appendFileSync(join(world.skills, 'pdf/SKILL.md'), ' and edited later');
  expect(world.tree('.agents/skills')).toMatchObject({ 'pdf/SKILL.md': 'edited and edited later' });
  expect(readTree(backups[0]!)).toEqual({ 'pdf/SKILL.md': 'edited', 'pdf/scripts/run.sh*': '#!/bin/sh\n' });
});

test('PSA-32: what a program writes to a file it has open, while the skill around it goes, is in the file that stays', async () => {
  const world = await installed();
  await world.install(['org/two']);
  const open = openSync(join(world.skills, 'one/log.txt'), 'a');
  onTestFinished(() => closeSync(open));
  await uninstall(world, ['org/two'], {
    onEvent: ({ kind }) => {
      if (kind === 'committed') writeSync(open, 'during');
    },
  });
  writeSync(open, ', after');
  expect(world.read('.agents/skills/one/log.txt')).toBe('during, after');
});

test.each([
  { force: false, what: 'copies' },
  { force: true, what: 'links' },
])('PSA-32: a backup ($what) is on the disk before the point of no return', async ({ force }) => {
  const world = await installed();
  await world.install(['org/two']);
  writeFileSync(join(world.skills, 'one/SKILL.md'), 'edited');
  const synced: string[] = [];
  let before: readonly string[] = [];
  const { fsync, fsyncSync } = fs;
  onTestFinished(() => {
    Object.assign(fs, { fsync, fsyncSync });
    syncBuiltinESMExports();
  });
  const noted = (descriptor: number): number => {
    synced.push(String(fs.fstatSync(descriptor).ino));
    return descriptor;
  };
  Object.assign(fs, {
    fsync: (descriptor: number, done: fs.NoParamCallback) => fsync(noted(descriptor), done),
    fsyncSync: (descriptor: number) => fsyncSync(noted(descriptor)),
  });
  syncBuiltinESMExports();
  const { backups } = await uninstall(world, ['org/two'], {
    force,
    backup: true,
    onEvent: ({ kind }) => {
      if (kind === 'committed') before = [...synced];
    },
  });
  const [backup] = backups;
  const inodes = (paths: readonly string[]) => paths.map((path) => String(statSync(join(backup!, path)).ino));
  expect(before).toEqual(expect.arrayContaining(inodes(['', 'one', 'one/SKILL.md', 'other', 'other/SKILL.md'])));
  expect(synced).toEqual(expect.arrayContaining(inodes(['..', '../..'])));
});

test('PSA-32: an uninstall that does not happen leaves no backup', async () => {
  const world = await installed();
  await world.install(['org/two']);
  const before = world.tree();
  // The clock is asked when the backup is made; what is cancelled then is found right before the commit.
  const stop = new AbortController();
  const now = (): Date => {
    stop.abort();
    return new Date('2026-11-22T10:00:00Z');
  };
  const names = ['org/two'];
  const options = { backup: true, signal: stop.signal };
  expect(await refusal(uninstallPacks({ root: world.root, names }, { ...world.ports, now }, options))).toMatchObject({
    code: 'INTERRUPTED',
  });
  expect(world.tree()).toEqual(before);
  expect(readdirSync(join(world.project, '.agents'))).toEqual(['skills']);
});

test('a pack that another one needs stays, unless it is forced or both go', async () => {
  const world = await installed();
  await world.install(['org/pdf']);
  expect(await refusal(uninstall(world, ['org/base']))).toMatchObject({
    code: 'STILL_NEEDED',
    data: { name: 'org/base', dependent: 'org/pdf@1.0.0' },
  });
  await uninstall(world, ['org/base'], { force: true });
  expect(Object.keys(world.lock())).toEqual(['org/pdf']);
  await world.install([]);
  await uninstall(world, ['org/base', 'org/pdf']);
  expect(readdirSync(world.skills)).toEqual(['mine']);
});

test('one skill of several, and names that are not here, are refused and change nothing', async () => {
  const world = await installed();
  await world.install(['org/two']);
  const before = world.tree();
  expect(await refusal(uninstall(world, ['one']))).toMatchObject({
    code: 'USAGE',
    data: { pack: 'org/two', others: ['other'] },
  });
  expect(await refusal(uninstall(world, ['org/twoo']))).toMatchObject({
    code: 'PACK_NOT_INSTALLED',
    hint: 'Did you mean org/two?',
  });
  expect(await refusal(uninstall(world, ['mine']))).toMatchObject({ code: 'SKILL_NOT_FOUND' });
  expect(world.tree()).toEqual(before);
});

test('the links of a pack whose receipt is lost go with it, and no others', async () => {
  const world = makeWorld();
  await world.offer({ name: 'org/pdf', version: '1.0.0' });
  mkdirSync(world.project);
  writeFileSync(join(world.project, 'skillpack.json'), '{"targets":["claude-code","tools/skills"]}');
  await world.install(['org/pdf']);
  mkdirSync(join(world.project, '.goose/skills'), { recursive: true });
  symlinkSync('../elsewhere', join(world.project, '.goose/skills/pdf'));
  mkdirSync(join(world.dir, 'outside/skills'), { recursive: true });
  symlinkSync(join(world.skills, 'pdf'), join(world.dir, 'outside/skills/pdf'));
  symlinkSync(join(world.dir, 'outside'), join(world.project, '.roo'));
  rmSync(join(world.skills, '.skillpack/org/pdf/receipt.json'));
  await uninstall(world, ['org/pdf']);
  const linked = ['.claude', 'tools', '.goose'].map((folder) => readdirSync(join(world.project, folder, 'skills')));
  expect(linked).toEqual([[], [], ['pdf']]);
  expect(readdirSync(join(world.dir, 'outside/skills'))).toEqual(['pdf']);
  expect(existsSync(join(world.skills, 'pdf'))).toBe(false);
});

test('a link somebody put in place of an installed skill stays, and what it leads to is not touched', async () => {
  const world = await installed();
  await world.install(['org/pdf']);
  const target = join(world.dir, 'target');
  mkdirSync(target);
  writeFileSync(join(target, 'SKILL.md'), 'theirs');
  rmSync(join(world.skills, 'pdf'), { recursive: true });
  symlinkSync(target, join(world.skills, 'pdf'));
  await uninstall(world, ['org/pdf'], { force: true });
  expect(readdirSync(world.skills).toSorted()).toEqual(['mine', 'pdf']);
  expect(readdirSync(target)).toEqual(['SKILL.md']);
});

test('what somebody put in place of a link of ours stays, when the skill goes and when the target goes', async () => {
  const world = makeWorld();
  await world.offer({ name: 'org/pdf', version: '1.0.0' });
  mkdirSync(world.project);
  writeFileSync(join(world.project, 'skillpack.json'), '{"targets":["claude-code","roo","tools/skills"]}');
  await world.install(['org/pdf']);
  const [file, elsewhere, ours] = ['.claude', '.roo', 'tools'].map((dir) => join(world.project, dir, 'skills/pdf'));
  rmSync(file!);
  writeFileSync(file!, 'theirs');
  rmSync(elsewhere!);
  symlinkSync(world.dir, elsewhere!);
  await uninstall(world, ['org/pdf']);
  expect(readFileSync(file!, 'utf8')).toBe('theirs');
  expect(readlinkSync(elsewhere!)).toBe(world.dir);
  expect(existsSync(join(ours!, '..'))).toBe(true);
  expect(readdirSync(join(ours!, '..'))).toEqual([]);
});

test('an entry of the lock file that claims the skills of an installed pack is what an install tells to remove, not the pack', async () => {
  const world = await installed();
  await world.offer({ name: 'evil/two', version: '1.0.0', skills: { one: skill('one', 'Evil.') } });
  await world.install(['evil/two']);
  const invented = world.lock()['evil/two'];
  await uninstall(world, ['evil/two']);
  await world.install(['org/two']);
  const before = world.tree();
  const lock = { formatVersion: 1, packs: { ...world.lock(), 'evil/two': invented } };
  writeFileSync(join(world.project, 'skillpack-lock.json'), JSON.stringify(lock));
  const { code, hint } = await refusal(world.install([]));
  expect(code).toBe('NAME_COLLISION');
  expect(commandsIn(`${hint}`)).toEqual(['skills uninstall evil/two']);
  expect(hint).not.toContain('org/two');
  expect(await uninstall(world, ['evil/two'])).toMatchObject({ removed: [{ name: 'evil/two', skills: [] }] });
  expect(world.tree()).toEqual(before);
  await world.install([]);
  expect(world.tree()).toEqual(before);
});
