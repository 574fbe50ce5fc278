import { chmodSync, existsSync, lchownSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import type { DoctorReport } from '../src/doctor/doctor-report.js';
import { runChild } from './run-child.js';
import { installedWorld } from './installed-world.js';
import type { World } from './world.js';

// The rights of a file mean nothing to root.
const nobody = 65_534;
const asRoot = process.getuid?.() === 0;

function giveAway(path: string): void {
  lchownSync(path, nobody, nobody);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) giveAway(join(path, entry.name));
    else lchownSync(join(path, entry.name), nobody, nobody);
  }
}

async function sickened(harm: (world: World) => void): Promise<World> {
  const world = await installedWorld();
  if (asRoot) giveAway(world.dir);
  harm(world);
  return world;
}

/** Takes rights away until the test has ended. */
function forbid(path: string, mode: number): void {
  chmodSync(path, mode);
  onTestFinished(() => {
    if (existsSync(path)) chmodSync(path, 0o755);
  });
}

async function diagnose(world: World, repair: boolean): Promise<DoctorReport> {
  if (asRoot) process.seteuid?.(nobody);
  try {
    return await diagnoseRoot({ root: world.root }, world.ports, { repair });
  } finally {
    if (asRoot) process.seteuid?.(0);
  }
}

function told({ findings }: DoctorReport): readonly (readonly [string, boolean])[] {
  return findings.map(({ kind, repaired }) => [kind, repaired]);
}

const posix = process.platform !== 'win32';

test.runIf(posix)('a root that cannot be written is told of, and no repair is promised', async () => {
  const world = await sickened(({ skills }) => {
    rmSync(join(skills, '.skillpack/org/pdf/receipt.json'));
    forbid(join(skills, '.skillpack'), 0o555);
  });
  const before = world.tree();
  // Whether a folder can be written is asked for the user that a process was started as.
  const task = { project: world.project, cache: join(world.dir, 'cache'), offered: [], repair: true };
  const { report } = await runChild(task, asRoot ? { uid: nobody, gid: nobody } : {});
  expect(report.findings?.map(({ kind, repairable, repaired }) => [kind, repairable, repaired])).toEqual([
    ['broken-receipt', false, false],
    ['not-writable', false, false],
  ]);
  expect(world.tree()).toEqual(before);
});

test.runIf(posix)(
  'of a root that cannot be written, one finding names every folder, and a leftover waits for that',
  async () => {
    const world = await sickened(({ project, skills }) => {
      mkdirSync(join(skills, '.skillpack/.staging'));
      if (asRoot) lchownSync(join(skills, '.skillpack/.staging'), nobody, nobody);
      for (const folder of [join(skills, '.skillpack'), skills, project]) forbid(folder, 0o555);
    });
    const task = { project: world.project, cache: join(world.dir, 'cache'), offered: [], repair: true };
    const { report } = await runChild(task, asRoot ? { uid: nobody, gid: nobody } : {});
    expect(report.findings).toMatchObject([
      {
        kind: 'leftover-staging',
        repairable: false,
        advice: 'Make the root writable, then run `skills doctor --repair`: it removes it.',
      },
      {
        kind: 'not-writable',
        subject: world.project,
        message: `${world.project} cannot be written (EACCES), nor can ${world.skills} and ${join(world.skills, '.skillpack')}.`,
      },
    ]);
  },
);

test.runIf(posix)('what may not be read is told of, and the rest is looked at', async () => {
  const world = await sickened(({ skills }) => forbid(join(skills, '.skillpack/org'), 0o000));
  const report = await diagnose(world, false);
  expect(new Set(told(report).map(([kind]) => kind))).toEqual(new Set(['not-readable']));
  expect(report.findings[0]).toMatchObject({
    subject: join(world.skills, '.skillpack/org'),
    message: expect.stringContaining('permission denied'),
  });
});

test.runIf(posix).each([
  ['.agents/skills/.skillpack/org/pdf/receipt.json', 'broken-receipt'],
  ['.agents/skills/.skillpack/org/pdf/manifest.json', 'broken-receipt'],
  ['skillpack-lock.json', 'lock-unreadable'],
])('%s is written anew where it may not be read', async (path, kind) => {
  const world = await sickened(({ project }) => forbid(join(project, path), 0o000));
  expect(told(await diagnose(world, false))).toEqual([[kind, false]]);
  expect(told(await diagnose(world, true))).toEqual([[kind, true]]);
  expect(told(await diagnose(world, false))).toEqual([]);
});

test.runIf(posix)('an archive in the cache that may not be read is removed, and kept anew', async () => {
  const world = await sickened(({ dir }) => {
    const blobs = join(dir, 'cache/blobs/sha256');
    for (const path of readdirSync(blobs)) {
      for (const name of readdirSync(join(blobs, path))) forbid(join(blobs, path, name), 0o000);
    }
  });
  const archives = (await world.ports.store.info()).archives;
  expect(archives).toBeGreaterThan(1);
  expect(told(await diagnose(world, true))).toEqual(Array.from({ length: archives }, () => ['damaged-archive', true]));
  expect(await world.ports.store.info()).toMatchObject({ archives: 0 });
});
