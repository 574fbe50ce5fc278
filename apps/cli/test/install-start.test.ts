import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadedBy } from './loaded-by.js';
import { makeSkill } from './make-skill.js';
import { createWorld, type World } from './run-skills.js';

let world: World;
beforeAll(() => {
  world = createWorld();
  makeSkill(join(world.project, 'one'), { pack: { name: 'acme/one', version: '1.0.0' } });
});
afterAll(() => world.remove());

test('an install of an archive loads no YAML library, no HTTP client and nothing that writes archives', async () => {
  await world.run(['pack', './one', '--out', './one.tgz']);
  const libraries = await loadedBy(world, ['install', './one.tgz']);
  expect(libraries).toContain('cli-dist');
  const unneeded = ['fflate', 'ignore', 'picomatch', 'undici', 'yaml'];
  expect([...libraries].filter((name) => unneeded.includes(name))).toEqual([]);
});
