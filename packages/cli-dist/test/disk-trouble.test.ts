import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePackSpec, SkillsError } from '@skillpack/core';
import { expect, onTestFinished, test, type TestContext } from 'vitest';
import { installPacks } from '../src/install/install-packs.js';
import { sha256 } from '../src/archive/sha256.js';
import { projectRoot } from '../src/root/install-root.js';
import { listInstalled } from '../src/root/list-installed.js';
import { openStore } from '../src/store/disk-store.js';
import { uninstallPacks } from '../src/uninstall/uninstall-packs.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import type { ChildTask } from './children/change-root.js';
import { runChild, type ChildOutcome } from './run-child.js';
import { makeWorld, readTree, refusal, skill, temporaryFolder, type World } from './world.js';

const offered: ChildTask['offered'] = [
  { name: 'org/pdf', version: '1.0.0', skills: { pdf: { ...skill('pdf', 'older'), 'scripts/run.sh': 'run' } } },
  { name: 'org/pdf', version: '1.1.0', skills: { pdf: skill('pdf', 'newer') } },
];

// The rights of a file mean nothing to root.
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A root with a pack, that belongs to whom the children run as. */
async function installed(): Promise<World> {
  const world = makeWorld();
  for (const description of offered) await world.offer(description);
  await world.install(['org/pdf@1.0.0']);
  giveAway(world.dir);
  return world;
}

function giveAway(path: string): void {
  if (nobody.uid === undefined) return;
  chownSync(path, nobody.uid, nobody.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) giveAway(join(path, entry.name));
    else chownSync(join(path, entry.name), nobody.uid, nobody.gid);
  }
}

function asNobody(world: World, task: Partial<ChildTask>): Promise<ChildOutcome> {
  return runChild({ project: world.project, cache: join(world.dir, 'cache'), offered, ...task }, nobody);
}

/** Everything but what only says which process was there. */
function content(project: string): Record<string, string> {
  return Object.fromEntries(Object.entries(readTree(project)).filter(([path]) => !path.endsWith('/.lock')));
}

function protect(path: string): void {
  chmodSync(path, 0o555);
  onTestFinished(() => {
    if (existsSync(path)) chmodSync(path, 0o755);
  });
}

test
  .runIf(process.platform !== 'win32')
  .each(['.agents/skills', '.agents/skills/pdf', '.agents/skills/pdf/scripts', '.'])(
  'PSA-32: an update and an uninstall are refused where %s may not be written, and leave nothing',
  async (folder) => {
    const world = await installed();
    const before = content(world.project);
    protect(join(world.project, folder));
    for (const task of [{ install: ['org/pdf@1.1.0'] }, { uninstall: ['org/pdf'] }]) {
      const { report } = await asNobody(world, task);
      expect(report).toMatchObject({ code: 'IO_ERROR', data: { path: join(world.project, folder), errno: 'EACCES' } });
      expect(content(world.project)).toEqual(before);
      expect((await asNobody(world, { verify: true })).exitCode).toBe(0);
    }
    chmodSync(join(world.project, folder), 0o755);
    expect((await asNobody(world, { install: ['org/pdf@1.1.0'] })).exitCode).toBe(0);
  },
  60_000,
);

test.runIf(process.platform !== 'win32')(
  'a decided change that may not be carried out any more keeps nobody from reading, and is finished when it may',
  async () => {
    const world = await installed();
    expect((await asNobody(world, { install: ['org/pdf@1.1.0'], dieOn: 'committed' })).signal).toBe('SIGKILL');
    expect(existsSync(join(world.skills, '.skillpack/.transaction.json'))).toBe(true);
    protect(world.skills);
    expect((await asNobody(world, { verify: true })).exitCode).toBe(0);
    expect((await asNobody(world, { uninstall: ['org/pdf'] })).report).toMatchObject({ code: 'IO_ERROR' });
    chmodSync(world.skills, 0o755);
    expect((await asNobody(world, { verify: true })).exitCode).toBe(0);
    expect(world.lock()['org/pdf']?.version).toBe('1.1.0');
    expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true });
  },
  60_000,
);

test('a full disk is an error, and leaves the old state or the new one, from whichever call on it is full', async () => {
  const world = await installed();
  const base = { cache: join(world.dir, 'cache'), offered, install: ['org/pdf@1.1.0'] };
  const prepare = async (): Promise<string> => {
    const project = join(temporaryFolder(), 'project');
    await runChild({ ...base, project, install: ['org/pdf@1.0.0'] });
    return project;
  };
  const whole = await prepare();
  const { report } = await runChild({ ...base, project: whole, death: { at: 0, when: 'full' } });
  const calls = report.calls?.length ?? 0;
  const states = [skill('pdf', 'newer'), { ...skill('pdf', 'older'), 'scripts/run.sh': 'run' }];
  const seen = new Set<number>();
  for (let at = 1; at <= calls; at += 5) {
    const project = await prepare();
    const { report: full } = await runChild({ ...base, project, death: { at, when: 'full' } });
    const root = projectRoot(project);
    expect(await verifyRoot({ root })).toMatchObject({ ok: true });
    const state = states.findIndex((expected) => {
      return JSON.stringify(readTree(join(root.skillsDir, 'pdf'))) === JSON.stringify(expected);
    });
    expect([0, 1]).toContain(state);
    // What was refused without the word that it is decided did not happen.
    if (full.code !== undefined) expect(full).toMatchObject({ code: 'IO_ERROR' });
    if (full.code !== undefined && full.data?.['committed'] !== true) expect(state).toBe(1);
    expect(existsSync(join(root.skillsDir, '.skillpack/.staging'))).toBe(false);
    seen.add(state);
  }
  expect(seen.size).toBe(2);
}, 120_000);

/** A file system of its own for one test, which only root of Linux may have. */
function mountSmallDisk({ skip }: TestContext, limits = 'size=512k'): string {
  const dir = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', limits, 'none', dir], { stdio: 'ignore' });
  } catch {
    skip('nothing may be mounted here');
  }
  onTestFinished(() => void execFileSync('umount', [dir]));
  return dir;
}

test('a real disk that is full is an error that names it, and leaves nothing', async (context) => {
  const project = join(mountSmallDisk(context), 'project');
  const root = projectRoot(project);
  mkdirSync(project);
  const world = makeWorld();
  await world.offer({ name: 'org/small', version: '1.0.0' });
  const noise = randomBytes(600_000).toString('base64');
  await world.offer({ name: 'org/big', version: '1.0.0', skills: { big: { ...skill('big'), 'noise.txt': noise } } });
  await installPacks({ root, specs: [parsePackSpec('org/small')] }, world.ports);
  const before = readTree(project);
  const error = await refusal(installPacks({ root, specs: [parsePackSpec('org/big')] }, world.ports));
  expect(error).toMatchObject({ code: 'IO_ERROR', data: { errno: 'ENOSPC' } });
  expect(readTree(project)).toEqual(before);
});

test('a read-only file system can be read, and an install into it is refused', async (context) => {
  const disk = mountSmallDisk(context);
  const project = join(disk, 'project');
  const root = projectRoot(project);
  mkdirSync(project);
  const world = makeWorld();
  for (const description of offered) await world.offer(description);
  const install = (spec: string) => installPacks({ root, specs: [parsePackSpec(spec)] }, world.ports);
  await install('org/pdf@1.0.0');
  mkdirSync(join(root.skillsDir, '.skillpack/.staging/0123456789abcdef'), { recursive: true });
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  expect(await refusal(install('org/pdf@1.1.0'))).toMatchObject({ code: 'IO_ERROR', data: { errno: 'EROFS' } });
  expect(await verifyRoot({ root })).toMatchObject({ ok: true });
  expect(await listInstalled(root)).toMatchObject([{ name: 'org/pdf', version: '1.0.0' }]);
});

test('a store on a read-only file system says so when it is to be emptied or to keep something', async (context) => {
  const disk = mountSmallDisk(context);
  const refused: Error[] = [];
  const store = openStore(disk, { onRefused: (reason) => refused.push(reason) });
  const bytes = [new Uint8Array([1]), new Uint8Array([2])] as const;
  await store.put(sha256(bytes[0]), bytes[0]);
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  expect(await refusal(store.clean())).toMatchObject({
    code: 'IO_ERROR',
    message: expect.stringContaining('the file system is read-only (EROFS)'),
    hint: 'Make the folder of the cache writable, or remove it by hand.',
  });
  await store.put(sha256(bytes[1]), bytes[1]);
  expect(refused).toMatchObject([{ code: 'IO_ERROR', data: { errno: 'EROFS' } }]);
  expect(await store.info()).toMatchObject({ archives: 1 });
});

/** A root on a disk of its own, with a version of a pack whose next one has large and small files. */
async function onSmallDisk(context: TestContext, limits: string) {
  const disk = mountSmallDisk(context, limits);
  const project = join(disk, 'project');
  mkdirSync(project);
  const world = makeWorld();
  const pages = Array.from({ length: 6 }, (_, index) => [`pages/${index}.txt`, `${index}`.repeat(20_000)]);
  const versions = [skill('pdf', 'older'), { ...skill('pdf', 'newer'), ...Object.fromEntries(pages) }];
  await world.offer({ name: 'org/pdf', version: '1.0.0', skills: { pdf: versions[0]! } });
  await world.offer({ name: 'org/pdf', version: '1.1.0', skills: { pdf: versions[1]! } });
  const root = projectRoot(project);
  const install = (spec: string) => installPacks({ root, specs: [parsePackSpec(spec)] }, world.ports);
  await install('org/pdf@1.0.0');
  return { disk, root, versions, install };
}

/** Installs the next version where there may be too little room, then makes room. @returns what became of it. */
async function tryUpdate(
  { root, versions, install }: Awaited<ReturnType<typeof onSmallDisk>>,
  makeRoom: () => void,
): Promise<'full' | 'decided' | 'done'> {
  const error = await install('org/pdf@1.1.0').then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const staging = join(root.skillsDir, '.skillpack/.staging');
  const decided = SkillsError.is(error, 'IO_ERROR') && error.data['committed'] === true;
  if (error !== undefined && !decided) {
    expect(error).toMatchObject({ code: 'IO_ERROR', data: { errno: 'ENOSPC' } });
    expect(existsSync(staging)).toBe(false);
  }
  if (decided) expect(error.message).toContain('ENOSPC');
  expect(readTree(join(root.skillsDir, 'pdf'))).toEqual(versions[error === undefined || decided ? 1 : 0]);
  makeRoom();
  expect(await verifyRoot({ root })).toMatchObject({ ok: true });
  expect(existsSync(staging)).toBe(false);
  await install('org/pdf@1.1.0');
  expect(readTree(join(root.skillsDir, 'pdf'))).toEqual(versions[1]);
  await install('org/pdf@1.0.0');
  if (decided) return 'decided';
  return error === undefined ? 'done' : 'full';
}

test('a real disk on which too little is free, from nothing to enough, in writes that end in the middle too', async (context) => {
  const world = await onSmallDisk(context, 'size=1m');
  const filler = join(world.disk, 'filler');
  const outcomes: string[] = [];
  for (let free = 0; free <= 260; free += 20) {
    const { bavail, bsize } = statfsSync(world.disk);
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - free * 1024)));
    outcomes.push(await tryUpdate(world, () => rmSync(filler)));
  }
  expect(outcomes.join(' ')).toMatch(/^full( full)*( decided)*( done)+$/u);
}, 60_000);

test('a real disk on which no more files can be made, though it has room', async (context) => {
  const world = await onSmallDisk(context, 'size=8m,nr_inodes=100');
  const fillers = join(world.disk, 'fillers');
  const outcomes: string[] = [];
  for (let free = 0; free <= 30; free += 1) {
    mkdirSync(fillers);
    for (let { ffree } = statfsSync(world.disk); ffree > free; ffree -= 1) writeFileSync(join(fillers, `${ffree}`), '');
    outcomes.push(await tryUpdate(world, () => rmSync(fillers, { recursive: true })));
  }
  expect(outcomes.join(' ')).toMatch(/^full( full)*( decided)*( done)+$/u);
}, 60_000);

test('a folder of skills that is mounted to be read only is read, and an install is refused before it changes anything', async (context) => {
  const world = makeWorld();
  for (const description of offered) await world.offer(description);
  await world.install(['org/pdf@1.0.0']);
  try {
    execFileSync('mount', ['--bind', world.skills, world.skills], { stdio: 'ignore' });
  } catch {
    context.skip('nothing may be mounted here');
  }
  onTestFinished(() => void execFileSync('umount', [world.skills]));
  execFileSync('mount', ['-o', 'remount,bind,ro', world.skills]);
  const before = world.tree();
  for (const change of [
    world.install(['org/pdf@1.1.0']),
    uninstallPacks({ root: world.root, names: ['org/pdf'] }, world.ports),
  ]) {
    expect(await refusal(change)).toMatchObject({ code: 'IO_ERROR', data: { errno: 'EROFS' } });
    expect(world.tree()).toEqual(before);
  }
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true });
  execFileSync('mount', ['-o', 'remount,bind,rw', world.skills]);
  await world.install(['org/pdf@1.1.0']);
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true });
});
