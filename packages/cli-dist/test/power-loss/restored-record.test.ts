import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChildTask } from '../children/change-root.js';
import { childCommand, runChild } from '../run-child.js';
import { makeWorld } from '../world.js';
import { historyOf, readInitialDisk } from './disk-history.js';
import { describe, statesAfterLoss } from './lost-power.js';
import { recordCalls, recording } from './record-calls.js';

const offered: ChildTask['offered'] = [{ name: 'org/pdf', version: '1.0.0' }];

test.runIf(recording)('a record that a repair has written anew is there after a loss of power', async () => {
  const world = makeWorld();
  const task = { project: world.project, cache: join(world.dir, 'cache'), offered };
  await runChild({ ...task, install: ['org/pdf'] });
  // With the folder of the organisation, so that more than one has to be made.
  rmSync(join(world.skills, '.skillpack/org'), { recursive: true });
  const initial = readInitialDisk(world.project);
  const history = historyOf(
    recordCalls(await childCommand({ ...task, repair: true }), world.dir),
    initial,
    world.project,
  );
  const written = ['manifest.json', 'receipt.json'].map((name) => {
    const text = world.read(join('.agents/skills/.skillpack/org/pdf', name));
    return `"${name}":false ${Buffer.from(text).toString('base64')}`;
  });
  let states = 0;
  for (const { state, after, rule } of statesAfterLoss(history, { random: () => 0.5, perEvent: 1 })) {
    if (after !== history.events.length) continue;
    for (const file of written) expect(describe(state, state.top), rule).toContain(file);
    states += 1;
  }
  expect(states).toBeGreaterThan(0);
});
