import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { verifyRoot } from '../src/verify/verify-root.js';
import { runChild, startChild } from './run-child.js';
import { makeWorld, refusal } from './world.js';

test('PSA-32: sixteen installs at once in one root all succeed, one after another', async () => {
  const world = makeWorld();
  const offered = Array.from({ length: 16 }, (_, index) => ({ name: `org/p${index}`, version: '1.0.0' }));
  const task = { project: world.project, cache: join(world.dir, 'cache'), offered };
  const outcomes = await Promise.all(offered.map(({ name }) => runChild({ ...task, install: [name] })));
  expect(outcomes.map(({ report, exitCode }) => [exitCode, report.code])).toEqual(offered.map(() => [0, undefined]));
  expect(Object.keys(world.lock()).toSorted()).toEqual(offered.map(({ name }) => name).toSorted());
  const report = await verifyRoot({ root: world.root });
  expect(report).toMatchObject({ ok: true, untracked: [], packs: { length: 16 } });
}, 60_000);

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

function isStopped(pid: number): boolean {
  return /^State:\tT/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}
