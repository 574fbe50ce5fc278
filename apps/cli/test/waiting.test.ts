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

/** Runs an install that has to wait for so long. */
async function installAfter(milliseconds: number, ...words: readonly string[]) {
  const child = world.start(['install', world.path('tool'), ...words]);
  const ended = finished(child);
  await delay(milliseconds);
  closeSync(descriptor);
  return ended;
}

test('who waits without a terminal is told once for which process, and for how long at most', async () => {
  const { exitCode, stderr } = await installAfter(4_000);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: 'Waiting for another process (process 4711), at most 60 s.\n',
  });
});

test.each([
  ['--quiet', 0],
  ['--verbose', 1],
] as const)('with %s it is told %d times', async (option, times) => {
  const { exitCode, stderr } = await installAfter(3_000, option);
  const told = stderr.split('\n').filter((line) => line.startsWith('Waiting for another process'));
  expect({ exitCode, times: told.length }, stderr).toEqual({ exitCode: 0, times });
});
