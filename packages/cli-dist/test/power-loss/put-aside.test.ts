import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChildTask } from '../children/change-root.js';
import { childCommand, runChild } from '../run-child.js';
import { makeWorld } from '../world.js';
import { historyOf, readInitialDisk } from './disk-history.js';
import { describe, statesAfterLoss } from './lost-power.js';
import { recordCalls, recording } from './record-calls.js';

const mine = 'What a person wrote.\n';
const offered: ChildTask['offered'] = [{ name: 'org/pdf', version: '1.0.0' }];

test.runIf(recording).each<[string, (project: string) => void]>([
  ['a lock file', (project) => writeFileSync(join(project, 'skillpack-lock.json'), mine)],
  [
    'a folder in the place of a receipt',
    (project) => {
      const record = join(project, '.agents/skills/.skillpack/org/broken');
      mkdirSync(record);
      writeFileSync(join(record, 'mine.md'), mine);
    },
  ],
])(
  'whenever the power is lost while a repair puts %s aside, it is there, and at the end put aside',
  async (_, harm) => {
    const world = makeWorld();
    const task = { project: world.project, cache: join(world.dir, 'cache'), offered };
    await runChild({ ...task, install: ['org/pdf'] });
    harm(world.project);
    const initial = readInitialDisk(world.project);
    const calls = recordCalls(await childCommand({ ...task, repair: true }), world.dir);
    const history = historyOf(calls, initial, world.project);
    expect(Object.keys(world.tree('.agents/.skillpack-backups')).join(' ')).toMatch(/^put-aside-\w+\//u);
    const text = Buffer.from(mine).toString('base64');
    const aside = new RegExp(`"put-aside-\\w+":[^}]*${text}`, 'u');
    const lost: string[] = [];
    for (const { state, after, rule } of statesAfterLoss(history, { random: () => 0.5, perEvent: 1 })) {
      const disk = describe(state, state.top);
      const ended = after === history.events.length;
      if (!(ended ? aside.test(disk) : disk.includes(text))) lost.push(`after ${after} events, ${rule}`);
    }
    expect(lost).toEqual([]);
  },
);
