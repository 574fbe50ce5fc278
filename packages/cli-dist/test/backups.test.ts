import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorld, readTree, refusal, skill, type World } from './world.js';

async function edited(): Promise<World> {
  const world = makeWorld();
  const files = { ...skill('pdf'), 'scripts/run.sh': '#!/bin/sh\n' };
  await world.offer({ name: 'org/pdf', version: '1.0.0', skills: { pdf: files }, executable: ['pdf/scripts/run.sh'] });
  await world.offer({ name: 'org/pdf', version: '1.1.0', skills: { pdf: skill('pdf', 'newer') } });
  await world.install(['org/pdf@1.0.0']);
  writeFileSync(join(world.skills, 'pdf/scripts/run.sh'), '#!/bin/sh\nmine\n');
  return world;
}

test('an edited script is in the backup as it was, and can be run as before', async () => {
  const world = await edited();
  const { backups } = await world.install(['org/pdf@1.1.0'], { replace: true });
  expect(backups.map((path) => readTree(path))).toEqual([{ 'pdf/scripts/run.sh*': '#!/bin/sh\nmine\n' }]);
});

test('an install that does not happen leaves no backup', async () => {
  const world = await edited();
  const before = world.tree();
  const stop = new AbortController();
  // The clock is asked once more when everything is staged: for the name of the backup.
  const now = (): Date => {
    if (Object.keys(world.tree()).some((path) => /\.staging\/.*\/receipt\.json$/u.test(path))) stop.abort();
    return new Date('2026-11-22T10:00:00Z');
  };
  const options = { replace: true, signal: stop.signal };
  expect(await refusal(world.installWith({ ...world.ports, now }, ['org/pdf@1.1.0'], options))).toMatchObject({
    code: 'INTERRUPTED',
  });
  expect(world.tree()).toEqual(before);
  expect(readdirSync(join(world.project, '.agents'))).toEqual(['skills']);
});
