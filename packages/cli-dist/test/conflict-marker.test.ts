import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import { uninstallPacks } from '../src/uninstall/uninstall-packs.js';
import { updatePacks } from '../src/update/update-packs.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import { runChild } from './run-child.js';
import { makeWorld, refusal, type World } from './world.js';

const offered = [
  { name: 'org/pdf', version: '1.0.0' },
  { name: 'org/pdf', version: '1.1.0' },
  { name: 'org/more', version: '1.0.0' },
];

async function installed(): Promise<World> {
  const world = makeWorld();
  for (const description of offered) await world.offer(description);
  await world.install(['org/pdf@1.0.0']);
  return world;
}

/** Leaves the lock file as git does when both sides changed it. @returns its text. */
function conflict(world: World): string {
  const path = join(world.project, 'skillpack-lock.json');
  const lines = readFileSync(path, 'utf8').split('\n');
  const text = [
    ...lines.slice(0, 3),
    '<<<<<<< HEAD',
    lines[3],
    '=======',
    lines[3],
    '>>>>>>> other',
    ...lines.slice(4),
  ].join('\n');
  writeFileSync(path, text);
  return text;
}

test.each<[string, (world: World) => Promise<unknown>]>([
  ['install', (world) => world.install(['org/more'])],
  ['a frozen install', (world) => world.install([], { frozen: true })],
  ['update', ({ root, ports }) => updatePacks({ root, names: [] }, ports)],
  ['uninstall', ({ root, ports }) => uninstallPacks({ root, names: ['org/pdf'] }, ports)],
  ['verify', ({ root }) => verifyRoot({ root })],
])(
  'PSA-32: a conflict marker in the lock file is an error of %s that names the line, and nothing is touched',
  async (_, run) => {
    const world = await installed();
    conflict(world);
    const before = world.tree();
    const error = await refusal(run(world));
    expect(error).toMatchObject({
      code: 'LOCK_CONFLICT',
      data: { path: join(world.project, 'skillpack-lock.json'), line: 4 },
    });
    expect(error.message).toContain('line 4');
    expect(world.tree()).toEqual(before);
  },
);

test('a doctor tells of a conflict marker, and does not repair it by guessing', async () => {
  const world = await installed();
  const text = conflict(world);
  const report = await diagnoseRoot({ root: world.root }, world.ports, { repair: true });
  const finding = report.findings.find(({ kind }) => kind === 'lock-unreadable');
  expect(finding).toMatchObject({ repaired: false, message: expect.stringContaining('line 4') });
  expect(world.read('skillpack-lock.json')).toBe(text);
});

test('a lock file that was merged while a change lay unfinished stays as it is, and the rest of the change is made', async () => {
  const world = await installed();
  const task = { project: world.project, cache: join(world.dir, 'cache'), offered };
  expect((await runChild({ ...task, install: ['org/pdf@1.1.0'], dieOn: 'committed' })).signal).toBe('SIGKILL');
  const merged = world.read('skillpack-lock.json');
  const text = conflict(world);
  expect(await refusal(world.install(['org/more']))).toMatchObject({ code: 'LOCK_CONFLICT', data: { line: 4 } });
  expect(world.read('skillpack-lock.json')).toBe(text);
  writeFileSync(join(world.project, 'skillpack-lock.json'), merged);
  await world.install(['org/more']);
  expect(Object.keys(world.lock())).toEqual(['org/more', 'org/pdf']);
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true });
});
