import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import type { DoctorOptions } from '../src/doctor/doctor-report.js';
import { installedWorld } from './installed-world.js';

test('a repair tells once that it mends, before anything is mended; one that has nothing to do does not', async () => {
  const world = await installedWorld();
  const told: string[] = [];
  const before: ReturnType<typeof world.tree>[] = [];
  const run = (options: DoctorOptions) =>
    diagnoseRoot({ root: world.root }, world.ports, {
      ...options,
      onEvent: ({ kind }) => {
        told.push(kind);
        before.push(world.tree('.agents/skills'));
      },
    });
  await run({ repair: true });
  expect(told).toEqual([]);
  const whole = world.tree('.agents/skills');
  rmSync(join(world.skills, '.skillpack/org/pdf/receipt.json'));
  await run({});
  expect(told).toEqual([]);
  expect(await run({ repair: true })).toMatchObject({ ok: true, findings: [{ repaired: true }] });
  expect(told).toEqual(['mending']);
  const places = Object.keys(whole);
  expect(places.filter((place) => before[0]?.[place] === undefined)).toEqual(['.skillpack/org/pdf/receipt.json']);
  expect(Object.keys(world.tree('.agents/skills'))).toEqual(places);
});
