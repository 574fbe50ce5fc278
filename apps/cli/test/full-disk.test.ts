import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { makeSkill } from './make-skill.js';
import { createWorld } from './run-skills.js';

test('of a disk that has no room for a pack and the cache, an install says how much the cache has and how to have it elsewhere', async ({
  skip,
}) => {
  const world = createWorld();
  onTestFinished(() => world.remove());
  const disk = world.path('disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', disk], { stdio: 'ignore' });
  } catch {
    skip('nothing may be mounted here');
  }
  onTestFinished(() => void execFileSync('umount', [disk]));
  const files = { 'noise.txt': randomBytes(480_000).toString('base64') };
  const pack = makeSkill(world.path('big'), { files, pack: { name: 'acme/big', version: '1.0.0' } });
  expect((await world.run(['publish', pack, '--to', world.path('registry')])).exitCode).toBe(0);
  const install = (cache: string) =>
    world.run(['install', 'acme/big', '--root', world.path('disk', 'skills')], {
      env: { SKILLS_REGISTRY: world.path('registry'), SKILLS_CACHE: cache },
    });
  const cache = world.path('disk', 'cache');
  for (const attempt of ['the first', 'the one after the cache was emptied']) {
    const { exitCode, stderr } = await install(cache);
    expect([attempt, exitCode]).toEqual([attempt, 74]);
    expect(stderr).toContain('(ENOSPC)');
    expect(stderr).toContain(`which lies on it too, is ${cache}: \`skills cache clean\` frees 48`);
    expect(stderr).toContain('set SKILLS_CACHE to a folder on another disk');
    const cleaned = await world.run(['cache', 'clean'], { env: { SKILLS_CACHE: cache } });
    expect(cleaned.stdout).toContain('Removed 1 archive, 48');
  }
  expect((await install(world.path('cache'))).exitCode).toBe(0);
});
