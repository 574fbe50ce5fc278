import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadedBy } from './loaded-by.js';
import { makeSkill } from './make-skill.js';
import { createWorld, type World } from './run-skills.js';

// Of a root on tmpfs, no install is remembered.
const inMemory = process.platform === 'linux' && statfsSync(tmpdir()).type === 0x01021994;

let world: World;
let env: Record<string, string>;

beforeAll(async () => {
  world = createWorld();
  env = { SKILLS_CACHE: world.path('cache') };
  makeSkill(join(world.project, '..', 'one'), { pack: { name: 'acme/one', version: '1.0.0' } });
  const registry = world.path('registry');
  await world.run(['publish', '../one', '--to', registry], { env });
  await world.run(['install', 'acme/one', '--registry', registry], { env });
  if (!inMemory) await sealed();
}, 60_000);
afterAll(() => world.remove());

/** Installs until the files are old enough for an install to be remembered: a few seconds, which nothing can shorten. */
async function sealed(): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    await world.run(['install'], { env });
    if (existsSync(world.path('cache', 'seals'))) return;
  }
  throw new Error('no install was remembered');
}

test.skipIf(inMemory)(
  'an install that has nothing to do loads no library but the parser of command lines, and says what it said before',
  async () => {
    const recalled = await world.run(['install', '--json'], { env: { ...env, SKILLS_TOKEN: 'any' } });
    const whole = await world.run(['install', '--json', '--registry', world.path('registry')], { env });
    expect(recalled.json()).toEqual(whole.json());
    expect(recalled.stderr).toBe('');
    expect(await loadedBy(world, ['install'], env)).toEqual(
      new Set(['commander', 'skillpack', 'core', 'cli-dist', 'registry-fs']),
    );
  },
  30_000,
);

test('what would be refused is refused all the same', async () => {
  const run = await world.run(['install', '--json'], { env: { ...env, SKILLS_OFFLINE: 'perhaps' } });
  expect(run.json().error).toMatchObject({ code: 'INVALID_CONFIG' });
  const wrong = await world.run(['install', '--json', '--root', 'x', '--scope', 'user'], { env });
  expect(wrong.json().error).toMatchObject({ code: 'USAGE' });
});

test.skipIf(inMemory)(
  'another variable or another configuration file is another install',
  async () => {
    // What a seal tells differs from what an install does in nothing but what is loaded for it.
    const libraries = async (change: Record<string, string> = {}) =>
      (await loadedBy(world, ['install'], { ...env, ...change })).has('semver');
    expect(await libraries()).toBe(false);
    expect(await libraries({ SKILLS_TIMEOUT: '7' })).toBe(true);
    const file = join(world.project, '.agents', 'config.json');
    writeFileSync(file, '{}');
    expect(await libraries()).toBe(true);
    rmSync(file);
  },
  30_000,
);

test('an edit is told', async () => {
  writeFileSync(join(world.project, '.agents', 'skills', 'one', 'SKILL.md'), 'mine');
  const run = await world.run(['install'], { env });
  expect(run.stderr).toContain('one/SKILL.md');
});
