import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { verifyRoot } from '../src/verify/verify-root.js';
import { runChild, startChild } from './run-child.js';
import { makeWorld, refusal, skill } from './world.js';

test('an install that is stopped while it holds the lock keeps others out until their time is up, and no longer than it lives', async () => {
  const world = makeWorld();
  const offered = [
    { name: 'org/slow', version: '1.0.0' },
    { name: 'org/fast', version: '1.0.0' },
  ];
  for (const description of offered) await world.offer(description);
  const task = { project: world.project, cache: join(world.dir, 'cache'), offered };
  const stopped = await startChild({ ...task, install: ['org/slow'], stopAt: 'staged' });
  onTestFinished(() => void stopped.process.kill('SIGKILL'));
  while (!isStopped(stopped.process.pid!)) await delay(20);

  const waits: (number | undefined)[] = [];
  const error = await refusal(
    world.install(['org/fast'], {
      lockTimeout: 300,
      onEvent: (event) => {
        if (event.kind === 'waiting') waits.push(event.holder);
      },
    }),
  );
  expect(error).toMatchObject({ code: 'BUSY', data: { pid: stopped.process.pid } });
  expect(waits).toEqual([stopped.process.pid]);

  stopped.process.kill('SIGKILL');
  await stopped.done;
  const report = await world.install(['org/fast']);
  expect(report.changes).toMatchObject([{ kind: 'add', name: 'org/fast' }]);
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true, untracked: [] });
}, 60_000);

const sixteen = Array.from({ length: 16 }, (_, index) => ({ name: `org/p${index}`, version: '1.0.0' }));

const stops = [
  { at: 'staged', end: 'SIGCONT', what: 'goes on later', daily: true },
  { at: 'committed', end: 'SIGCONT', what: 'goes on later, its change being decided', daily: false },
  { at: 'staged', end: 'SIGKILL', what: 'is killed', daily: false },
  { at: 'committed', end: 'SIGKILL', what: 'is killed, its change being decided', daily: true },
] as const;
const tried = stops.filter(({ daily }) => daily || process.env['SKILLPACK_LONG_TESTS'] !== undefined);

test.runIf(process.platform === 'linux').each(tried)(
  'PSA-32: of sixteen installs one is stopped while it holds the lock, and $what: the others wait for it, know for whom, and nothing is lost',
  async ({ at, end }) => {
    const world = makeWorld();
    const waitNotes = join(world.dir, 'waits');
    const task = { project: world.project, cache: join(world.dir, 'cache'), offered: sixteen, waitNotes };
    const [first, ...others] = sixteen.map(({ name }) => name);
    const stopped = await startChild({ ...task, install: [first!], stopAt: at });
    onTestFinished(() => void stopped.process.kill('SIGKILL'));
    const { pid } = stopped.process;
    while (!isStopped(pid!)) await delay(20);
    const waiting = await Promise.all(others.map((name) => startChild({ ...task, install: [name] })));
    let ended = 0;
    for (const { done } of waiting) void done.then(() => (ended += 1));
    const told = () => (existsSync(waitNotes) ? readFileSync(waitNotes, 'utf8').trim().split('\n') : []);
    while (told().length < 5) await delay(20);
    expect(new Set(told())).toEqual(new Set([String(pid)]));
    expect(ended).toBe(0);
    expect(existsSync(join(world.project, 'skillpack-lock.json'))).toBe(false);
    stopped.process.kill(end);
    const outcomes = await Promise.all(waiting.map(({ done }) => done));
    const { signal } = await stopped.done;
    expect(signal).toBe(end === 'SIGKILL' ? 'SIGKILL' : null);
    expect(outcomes.map(({ exitCode, report }) => [exitCode, report.code])).toEqual(others.map(() => [0, undefined]));
    for (const { report } of outcomes) expect(report.waits?.length).toBeLessThanOrEqual(1);
    const lost = end === 'SIGKILL' && at === 'staged';
    const names = (lost ? others : [first!, ...others]).toSorted();
    expect(Object.keys(world.lock()).toSorted()).toEqual(names);
    expect(await verifyRoot({ root: world.root })).toMatchObject({
      ok: true,
      untracked: [],
      packs: { length: names.length },
    });
    expect(existsSync(join(world.skills, '.skillpack/.staging'))).toBe(false);
  },
  120_000,
);

test('PSA-32: installs, uninstalls, updates and repairs at once take turns; a reader finds each skill whole at every moment', async () => {
  const world = makeWorld();
  const [older, newer] = [skill('kept', `Older. ${'o'.repeat(20_000)}`), skill('kept', `Newer. ${'n'.repeat(20_000)}`)];
  const offered = [
    { name: 'org/kept', version: '1.0.0', skills: { kept: older } },
    { name: 'org/kept', version: '1.1.0', skills: { kept: newer } },
    ...Array.from({ length: 4 }, (_, index) => ({ name: `org/comes${index}`, version: '1.0.0' })),
    ...Array.from({ length: 4 }, (_, index) => ({ name: `org/goes${index}`, version: '1.0.0' })),
  ];
  const going = ['org/goes0', 'org/goes1', 'org/goes2', 'org/goes3'];
  const coming = ['org/comes0', 'org/comes1', 'org/comes2', 'org/comes3'];
  const task = { project: world.project, cache: join(world.dir, 'cache'), offered };
  expect((await runChild({ ...task, install: ['org/kept@1.0.0', ...going] })).exitCode).toBe(0);
  // By its range, so that an update may move it.
  const project = join(world.project, 'skillpack.json');
  writeFileSync(project, readFileSync(project, 'utf8').replace('"org/kept": "1.0.0"', '"org/kept": "^1"'));
  const running = Promise.all([
    ...coming.map((name) => runChild({ ...task, install: [name] })),
    ...going.map((name) => runChild({ ...task, uninstall: [name] })),
    ...Array.from({ length: 3 }, () => runChild({ ...task, update: true })),
    ...Array.from({ length: 3 }, () => runChild({ ...task, repair: true })),
    ...Array.from({ length: 2 }, () => runChild({ ...task, verify: true })),
  ]);
  const seen = new Set<string>();
  while ((await Promise.race([running, delay(1, 'at work')])) === 'at work') {
    // Where folders cannot be exchanged in one step, there is none for a moment.
    const path = join(world.skills, 'kept/SKILL.md');
    if (process.platform === 'linux' || existsSync(path)) seen.add(readFileSync(path, 'utf8'));
  }
  const outcomes = await running;
  expect(outcomes.map(({ exitCode, report }) => [exitCode, report.code])).toEqual(outcomes.map(() => [0, undefined]));
  expect([...seen].filter((text) => ![older['SKILL.md'], newer['SKILL.md']].includes(text))).toEqual([]);
  expect(Object.keys(world.lock()).toSorted()).toEqual([...coming, 'org/kept']);
  expect(world.lock()['org/kept']).toMatchObject({ version: '1.1.0' });
  expect(await verifyRoot({ root: world.root })).toMatchObject({ ok: true, untracked: [] });
  expect(existsSync(join(world.skills, '.skillpack/.staging'))).toBe(false);
}, 120_000);

function isStopped(pid: number): boolean {
  return /^State:\tT/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}
