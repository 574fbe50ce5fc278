import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { standingAt, traceOf } from '../src/apply/standing.js';
import { installPacks } from '../src/install/install-packs.js';
import { folderRoot, userRoot } from '../src/root/install-root.js';
import { listInstalled } from '../src/root/list-installed.js';
import { outdatedPacks } from '../src/update/outdated-packs.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import { parsePackSpec } from '@skillpack/core';
import { makeWorld, refusal, type World } from './world.js';

async function worldWithVictim(): Promise<{ readonly world: World; readonly victim: string; untouched(): void }> {
  const world = makeWorld();
  await world.offer({ name: 'org/pdf', version: '1.0.0' });
  const victim = join(world.dir, 'victim');
  mkdirSync(victim);
  writeFileSync(join(victim, '.bashrc'), 'precious');
  return {
    world,
    victim,
    untouched: () => {
      expect(readdirSync(victim)).toEqual(['.bashrc']);
      expect(readFileSync(join(victim, '.bashrc'), 'utf8')).toBe('precious');
    },
  };
}

test.each([
  ['.agents', 'a folder above the skills'],
  ['.agents/skills', 'the folder of the skills'],
])('PSA-32: a project whose %s (%s) is a link out of it is refused', async (place) => {
  const { world, victim, untouched } = await worldWithVictim();
  mkdirSync(join(world.project, place, '..'), { recursive: true });
  symlinkSync(victim, join(world.project, place));
  expect(await refusal(world.install(['org/pdf']))).toMatchObject({ code: 'PATH_TRAVERSAL_BLOCKED' });
  untouched();
});

test.each(['.agents/skills/.skillpack', '.agents/skills/.skillpack/.staging', '.agents/skills/.skillpack/org'])(
  'a link in place of %s is not written through',
  async (place) => {
    const { world, victim, untouched } = await worldWithVictim();
    mkdirSync(join(world.project, place, '..'), { recursive: true });
    symlinkSync(victim, join(world.project, place));
    try {
      await world.install(['org/pdf']);
      // Where the link could be put aside, what came in its place is no link.
      expect(lstatSync(join(world.project, place), { throwIfNoEntry: false })?.isSymbolicLink() ?? false).toBe(false);
    } catch (error) {
      expect(error).toMatchObject({ code: 'PATH_TRAVERSAL_BLOCKED' });
    }
    untouched();
  },
);

test('a link in place of the lock, of skillpack.json or of the lock file empties nothing elsewhere', async () => {
  for (const place of ['.agents/skills/.skillpack/.lock', 'skillpack.json', 'skillpack-lock.json']) {
    const { world, victim, untouched } = await worldWithVictim();
    mkdirSync(join(world.project, place, '..'), { recursive: true });
    symlinkSync(join(victim, '.bashrc'), join(world.project, place));
    expect(await refusal(world.install(['org/pdf']))).toMatchObject({ code: 'PATH_TRAVERSAL_BLOCKED' });
    untouched();
  }
});

const journalId = '0123456789abcdef';

/** Has a journal lie in the root as if somebody had committed it, and guessed the number that its folder would get. */
function plantJournal(world: World, journal: object): void {
  const control = join(world.skills, '.skillpack');
  const folder = join(control, '.staging', journalId);
  mkdirSync(folder, { recursive: true });
  const staging = String(lstatSync(folder).ino);
  writeFileSync(
    join(control, '.transaction.json'),
    JSON.stringify({ formatVersion: 1, id: journalId, staging, moves: [], links: [], texts: [], ...journal }),
  );
}

const textDigestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

const readers: Readonly<Record<string, (world: World, told: (outcome: string) => void) => Promise<unknown>>> = {
  verifyRoot: ({ root }, onRecovered) => verifyRoot({ root }, { onRecovered }),
  listInstalled: ({ root }, onRecovered) => listInstalled(root, { onRecovered }),
  outdatedPacks: ({ root, ports }, onRecovered) => outdatedPacks({ root }, ports, { onRecovered }),
  'a dry run': (world, told) =>
    world.install([], { dryRun: true, onEvent: (event) => event.kind === 'recovered' && told(event.outcome) }),
};

/** A project whose journal, which moves nothing, came with it. */
async function withForeignJournal(staged: boolean): Promise<World> {
  const { world } = await worldWithVictim();
  mkdirSync(world.project);
  writeFileSync(join(world.project, 'skillpack.json'), '{ "targets": ["claude-code"] }');
  await world.install(['org/pdf']);
  rmSync(join(world.project, '.claude'), { recursive: true });
  const text = { file: 'project', before: textDigestOf(join(world.project, 'skillpack.json')), after: '{}\n' };
  const links = [{ kind: 'make', path: '.claude/skills/pdf', skill: 'pdf' }];
  const drop = { kind: 'drop', to: 'pdf', replaces: { inode: '1', trace: '0'.repeat(64) } };
  plantJournal(world, { staging: '1', links, texts: [text], moves: staged ? [drop] : [] });
  const folder = join(world.skills, '.skillpack/.staging', journalId);
  if (staged) writeFileSync(join(folder, 'kept-by-git'), '');
  else rmSync(folder, { recursive: true });
  return world;
}

test.each(Object.keys(readers).flatMap((reader) => [true, false].map((staged) => [reader, staged] as const)))(
  'a journal that came with a project is not carried out by %s, which tells of it; has a staging folder come too: %s',
  async (reader, staged) => {
    const world = await withForeignJournal(staged);
    const before = readFileSync(join(world.project, 'skillpack.json'), 'utf8');
    const told: string[] = [];
    await readers[reader]!(world, (outcome) => told.push(outcome));
    expect(told).toEqual(['discarded']);
    expect(readFileSync(join(world.project, 'skillpack.json'), 'utf8')).toBe(before);
    expect(existsSync(join(world.project, '.claude'))).toBe(false);
    expect(existsSync(join(world.skills, '.skillpack/.transaction.json'))).toBe(false);
  },
);

test.each(Object.keys(readers))('that an interrupted change was finished is told of by %s', async (reader) => {
  const { world } = await worldWithVictim();
  const onEvent = ({ kind }: { readonly kind: string }): void => {
    if (kind === 'committed') throw new Error('died');
  };
  await expect(world.install(['org/pdf'], { onEvent })).rejects.toThrow('died');
  expect(existsSync(join(world.skills, 'pdf'))).toBe(false);
  const told: string[] = [];
  await readers[reader]!(world, (outcome) => told.push(outcome));
  expect(told).toEqual(['finished']);
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true, packs: { length: 1 } });
});

test.each([
  ['project', '\u001B[31mhello'],
  ['project', '{"targets":7}'],
  ['lock', '{}'],
  ['lock', 'zz'],
])("a stranger's journal does not make the %s file %j", async (file, after) => {
  const { world } = await worldWithVictim();
  await world.install(['org/pdf']);
  const path = join(world.project, file === 'lock' ? 'skillpack-lock.json' : 'skillpack.json');
  const before = readFileSync(path, 'utf8');
  plantJournal(world, { texts: [{ file, before: textDigestOf(path), after }] });
  await listInstalled(world.root);
  expect(readFileSync(path, 'utf8')).toBe(before);
});

test.each([
  ['src', 'pdf'],
  ['node_modules/pdf', 'pdf'],
  ['.git/hooks/pdf', 'pdf'],
  ['.claude/skills/other', 'pdf'],
  ['.roo/skills/pdf', 'pdf'],
])(
  "a stranger's journal makes no link at %s, which is no place for a skill of an agent that is named",
  async (path, name) => {
    const { world } = await worldWithVictim();
    mkdirSync(world.project);
    writeFileSync(join(world.project, 'skillpack.json'), '{ "targets": ["claude-code"] }');
    await world.install(['org/pdf']);
    plantJournal(world, { links: [{ kind: 'make', path, skill: name }] });
    await listInstalled(world.root);
    expect(lstatSync(join(world.project, path), { throwIfNoEntry: false })).toBeUndefined();
  },
);

test("a stranger's journal moves nothing out of the root or into it", async () => {
  const { world, victim, untouched } = await worldWithVictim();
  await world.install(['org/pdf']);
  const inode = String(lstatSync(join(victim, '.bashrc')).ino);
  const replaces = traceOf(standingAt(join(victim, '.bashrc'))!);
  mkdirSync(join(world.skills, '.skillpack/.staging'));
  symlinkSync(victim, join(world.skills, '.skillpack/.staging', journalId));
  symlinkSync(victim, join(world.skills, 'link'));
  const journals = [
    { moves: [{ kind: 'put', from: '.bashrc', to: 'stolen', inode, replaces: null }] },
    { moves: [{ kind: 'drop', to: '../../../victim/.bashrc', replaces }] },
    { moves: [{ kind: 'drop', to: 'link/.bashrc', replaces }] },
  ];
  for (const journal of journals) {
    plantJournal(world, journal);
    await listInstalled(world.root);
    expect(existsSync(join(world.skills, 'stolen'))).toBe(false);
    untouched();
  }
});

test.each(['../victim/x', '/victim/x', '.claude/../../victim/x'])(
  "a stranger's journal makes no link at %s",
  async (path) => {
    const { world, victim, untouched } = await worldWithVictim();
    await world.install(['org/pdf']);
    mkdirSync(join(world.project, '.claude'));
    plantJournal(world, { links: [{ kind: 'make', path, skill: 'pdf' }] });
    await listInstalled(world.root);
    expect(existsSync(join(victim, 'x'))).toBe(false);
    untouched();
  },
);

test("a stranger's journal makes no link through a link, nor one to anything but a skill", async () => {
  const { world, victim, untouched } = await worldWithVictim();
  await world.install(['org/pdf']);
  symlinkSync(victim, join(world.project, '.claude'));
  writeFileSync(join(world.project, 'skillpack.json'), '{ "targets": ["claude-code"] }');
  plantJournal(world, { links: [{ kind: 'make', path: '.claude/skills/pdf', skill: 'pdf' }] });
  expect(await refusal(verifyRoot({ root: world.root }))).toMatchObject({ code: 'PATH_TRAVERSAL_BLOCKED' });
  untouched();
  plantJournal(world, { links: [{ kind: 'make', path: 'tools/x', skill: '../../../victim' }] });
  await listInstalled(world.root);
  expect(lstatSync(join(world.project, 'tools/x'), { throwIfNoEntry: false })).toBeUndefined();
});

test.each(['pdf/SKILL.md', '.skillpack/org', '.skillpack/org/pdf/receipt.json'])(
  "a stranger's journal does not take %s out of the root",
  async (to) => {
    const { world } = await worldWithVictim();
    await world.install(['org/pdf']);
    plantJournal(world, { moves: [{ kind: 'drop', to, replaces: traceOf(standingAt(join(world.skills, to))!) }] });
    await listInstalled(world.root);
    expect(existsSync(join(world.skills, to))).toBe(true);
    expect(await refusal(world.install(['org/other']))).toMatchObject({ code: 'IO_ERROR' });
  },
);

test.skipIf(process.platform === 'win32')(
  "a stranger's journal moves nothing through a link that lies among what is staged or among the records",
  async () => {
    const { world, victim } = await worldWithVictim();
    await world.install(['org/pdf']);
    mkdirSync(join(victim, 'pdf'));
    const control = join(world.skills, '.skillpack');
    symlinkSync(victim, join(control, 'linked'));
    mkdirSync(join(control, '.staging', journalId), { recursive: true });
    symlinkSync(victim, join(control, '.staging', journalId, 'skills'));
    const standing = traceOf(standingAt(join(victim, 'pdf'))!);
    const put = { kind: 'put', from: 'skills/pdf', to: 'stolen', inode: standing.inode, replaces: null };
    for (const move of [put, { kind: 'drop', to: '.skillpack/linked/pdf', replaces: standing }]) {
      plantJournal(world, { moves: [move] });
      await listInstalled(world.root);
      expect(readdirSync(victim).toSorted()).toEqual(['.bashrc', 'pdf']);
      expect(existsSync(join(world.skills, 'stolen'))).toBe(false);
    }
  },
);

test('a refusal is a refusal for commands that only read as well', async () => {
  const { world, victim, untouched } = await worldWithVictim();
  await world.install(['org/pdf']);
  plantJournal(world, {});
  rmSync(join(world.skills, '.skillpack/.lock'));
  symlinkSync(join(victim, '.bashrc'), join(world.skills, '.skillpack/.lock'));
  expect(await refusal(listInstalled(world.root))).toMatchObject({ code: 'PATH_TRAVERSAL_BLOCKED' });
  untouched();
});

test('a journal that this version cannot read stops what would change something, and nothing else', async () => {
  const { world } = await worldWithVictim();
  await world.install(['org/pdf']);
  await world.offer({ name: 'org/csv', version: '1.0.0' });
  writeFileSync(join(world.skills, '.skillpack/.transaction.json'), '{"formatVersion":9}');
  expect(await refusal(world.install(['org/csv']))).toMatchObject({ code: 'IO_ERROR' });
  expect((await verifyRoot({ root: world.root })).ok).toBe(true);
});

test("a person's own links on the way to the user scope are followed", async () => {
  const { world } = await worldWithVictim();
  const home = join(world.dir, 'home');
  const dotfiles = join(world.dir, 'dotfiles');
  mkdirSync(home);
  mkdirSync(join(dotfiles, 'agents'), { recursive: true });
  symlinkSync(join(dotfiles, 'agents'), join(home, '.agents'));
  writeFileSync(join(dotfiles, 'skillpack.json'), '{"formatVersion":1}');
  symlinkSync('../skillpack.json', join(dotfiles, 'agents/skillpack.json'));
  await installPacks({ root: userRoot(join(home, '.agents')), specs: [parsePackSpec('org/pdf')] }, world.ports);
  expect(readdirSync(join(dotfiles, 'agents')).toSorted()).toEqual(['skillpack-lock.json', 'skillpack.json', 'skills']);
  expect(lstatSync(join(dotfiles, 'agents/skillpack.json')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(dotfiles, 'skillpack.json'), 'utf8')).toContain('org/pdf');
});

test('any folder can be a root; its own files are no strangers', async () => {
  const { world } = await worldWithVictim();
  const root = folderRoot(join(world.dir, 'anywhere'));
  await installPacks({ root, specs: [parsePackSpec('org/pdf')] }, world.ports);
  expect(readdirSync(root.skillsDir).toSorted()).toEqual([
    '.skillpack',
    'pdf',
    'skillpack-lock.json',
    'skillpack.json',
  ]);
  expect(await verifyRoot({ root })).toMatchObject({ ok: true, untracked: [] });
});

test('a root that cannot be made is an error that names the path, and leaves nothing', async () => {
  const { world } = await worldWithVictim();
  mkdirSync(world.project);
  writeFileSync(join(world.project, '.agents'), 'a file');
  expect(await refusal(world.install(['org/pdf']))).toMatchObject({ code: 'IO_ERROR' });
  expect(readdirSync(world.project)).toEqual(['.agents']);
});

test('an organisation may be called as anything of ours is', async () => {
  const { world } = await worldWithVictim();
  for (const name of ['lock/a', 'staging/b', 'trash/c', 'transaction/d']) {
    await world.offer({ name, version: '1.0.0' });
    await world.install([name]);
  }
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true, packs: { length: 4 } });
});

test('a copy of a root that was made in the middle of an install is left alone by its journal', async () => {
  const { world } = await worldWithVictim();
  await world.install(['org/pdf']);
  const control = join(world.skills, '.skillpack');
  const id = 'fedcba9876543210';
  mkdirSync(join(control, '.staging', id, 'skills/pdf'), { recursive: true });
  const staging = String(lstatSync(join(control, '.staging', id)).ino);
  const moves = [{ kind: 'put', from: 'skills/pdf', to: 'pdf', inode: '1', replaces: null }];
  writeFileSync(
    join(control, '.transaction.json'),
    JSON.stringify({ formatVersion: 1, id, staging, moves, links: [], texts: [] }),
  );
  renameSync(world.project, `${world.project}-moved`);
  renameSync(`${world.project}-moved`, world.project);
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true });
  expect(readdirSync(control).toSorted()).toEqual(['.lock', 'org']);
});

test('the next install removes the temporary files of one that died, and no other', async () => {
  const { world } = await worldWithVictim();
  const ours = '.skillpack-tmp-0123456789abcdef';
  mkdirSync(join(world.skills, '.skillpack/.staging'), { recursive: true });
  for (const folder of [world.project, join(world.skills, '.skillpack')]) {
    writeFileSync(join(folder, ours), '');
    writeFileSync(join(folder, '.skillpack-tmp-mine'), 'mine');
  }
  await world.install(['org/pdf']);
  expect(readdirSync(world.project).toSorted()).toEqual([
    '.agents',
    '.skillpack-tmp-mine',
    'skillpack-lock.json',
    'skillpack.json',
  ]);
  expect(readdirSync(join(world.skills, '.skillpack')).toSorted()).toEqual(['.lock', '.skillpack-tmp-mine', 'org']);
});
