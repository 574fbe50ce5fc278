import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installPacks } from '../src/install/install-packs.js';
import { folderRoot, userRoot } from '../src/root/install-root.js';
import { listInstalled } from '../src/root/list-installed.js';
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

test("a stranger's journal moves nothing out of the root or into it", async () => {
  const { world, victim, untouched } = await worldWithVictim();
  const control = join(world.skills, '.skillpack');
  const id = '0123456789abcdef';
  mkdirSync(join(control, '.staging'), { recursive: true });
  symlinkSync(victim, join(control, '.staging', id));
  symlinkSync(victim, join(world.skills, 'link'));
  const inode = String(lstatSync(join(victim, '.bashrc')).ino);
  const journals = [
    { moves: [{ kind: 'put', from: '.bashrc', to: 'stolen', inode }] },
    { moves: [{ kind: 'drop', to: '../../../victim/.bashrc', inode }] },
    { moves: [{ kind: 'drop', to: 'link/.bashrc', inode }] },
    { moves: [], links: [{ kind: 'make', path: '../victim/x', skill: 'pdf' }] },
  ];
  for (const journal of journals) {
    writeFileSync(
      join(control, '.transaction.json'),
      JSON.stringify({ formatVersion: 1, id, links: [], texts: [], ...journal }),
    );
    await listInstalled(world.root);
    expect(existsSync(join(world.skills, 'stolen'))).toBe(false);
    untouched();
  }
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
  const moves = [{ kind: 'put', from: 'skills/pdf', to: 'pdf', inode: '1' }];
  writeFileSync(
    join(control, '.transaction.json'),
    JSON.stringify({ formatVersion: 1, id, moves, links: [], texts: [] }),
  );
  renameSync(world.project, `${world.project}-moved`);
  renameSync(`${world.project}-moved`, world.project);
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true });
  expect(readdirSync(control).toSorted()).toEqual(['.lock', 'org']);
});
