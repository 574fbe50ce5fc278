import { mkdirSync, openSync, closeSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import locks from 'fs-native-extensions';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSkill } from './make-skill.js';
import { createWorld, finished, type World } from './run-skills.js';

let world: World;
let descriptor: number;

beforeEach(() => {
  world = createWorld();
  makeSkill(world.path('tool'), { pack: { name: 'acme/tool', version: '1.0.0' } });
  const folder = join(world.project, '.agents', 'skills', '.skillpack');
  mkdirSync(folder, { recursive: true });
  descriptor = openSync(join(folder, '.lock'), 'a+');
  writeSync(descriptor, '{"pid":4711}');
  const range = process.platform === 'win32' ? ([2 ** 30, 1] as const) : ([0, 0] as const);
  if (!locks.tryLock(descriptor, ...range)) throw new Error('The root is locked already.');
});
afterEach(() => world.remove());

/** Runs a command that has to wait for so long. */
async function runAfter(milliseconds: number, words: readonly string[]) {
  const child = world.start(words);
  const ended = finished(child);
  await delay(milliseconds);
  closeSync(descriptor);
  return ended;
}

test.each([
  ['install', () => ['install', world.path('tool')]],
  ['doctor --repair', () => ['doctor', '--repair']],
])('who waits for %s without a terminal is told once for which process, and how long at most', async (_, words) => {
  const { exitCode, stderr } = await runAfter(4_000, words());
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: 'Waiting for another process (process 4711), at most 60 s.\n',
  });
});

test.each([
  ['--quiet', 0],
  ['--verbose', 1],
] as const)('with %s it is told %d times', async (option, times) => {
  const { exitCode, stderr } = await runAfter(3_000, ['install', world.path('tool'), option]);
  const told = stderr.split('\n').filter((line) => line.startsWith('Waiting for another process'));
  expect({ exitCode, times: told.length }, stderr).toEqual({ exitCode: 0, times });
});
