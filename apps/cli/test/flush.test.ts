import { spawnSync } from 'node:child_process';
import { readFileSync, statfsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { makeSkill } from './make-skill.js';
import { createWorld } from './run-skills.js';

const skills = 60;

test.skipIf(spawnSync('strace', ['true']).status !== 0)(
  'PSA-32: the built command flushes many files by one call, where there is a disk to flush them to',
  async () => {
    const world = createWorld();
    onTestFinished(() => world.remove());
    for (let index = 0; index < skills; index += 1) makeSkill(world.path('source', `skill-${index}`));
    const trace = world.path('trace.txt');
    const { exitCode, stderr } = await world.runShell(
      `strace -f -e trace=fsync,syncfs -o ${trace} "$NODE" "$SKILLS" install ${world.path('source')}`,
    );
    expect(exitCode, stderr).toBe(0);
    const calls = [...readFileSync(trace, 'utf8').matchAll(/^\d+ +(fsync|syncfs)\(/gmu)].map(([, call]) => call);
    const inMemory = statfsSync(world.project).type === 0x01021994;
    expect(calls.filter((call) => call === 'syncfs')).toHaveLength(inMemory ? 0 : 1);
    expect(calls.filter((call) => call === 'fsync').length).toBeLessThan(skills);
  },
);
