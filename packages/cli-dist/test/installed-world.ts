import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { makeWorld, skill, type World } from './world.js';

interface Template {
  readonly dir: string;
  readonly ports: World['ports'];
}

let template: Promise<Template> | undefined;

afterAll(async () => {
  if (template !== undefined) rmSync((await template).dir, { recursive: true, force: true });
});

/**
 * A world in which `org/pdf` (with a program) and `org/csv` are installed, locked, wanted and linked for an agent, while
 * a newer `org/pdf` and an `org/new` are offered. Made once, and copied for every test.
 */
export async function installedWorld(): Promise<World> {
  template ??= makeTemplate();
  const { dir, ports } = await template;
  const world = makeWorld({ registryFor: ports.registryFor });
  for (const folder of ['project', 'cache']) {
    cpSync(join(dir, folder), join(world.dir, folder), { recursive: true, verbatimSymlinks: true });
  }
  return world;
}

async function makeTemplate(): Promise<Template> {
  const world = makeWorld();
  const pdf = { ...skill('pdf'), 'scripts/run.sh': '#!/bin/sh\n', 'more.md': 'More.\n' };
  await world.offer({ name: 'org/pdf', version: '1.0.0', skills: { pdf }, executable: ['pdf/scripts/run.sh'] });
  await world.offer({ name: 'org/csv', version: '1.0.0' });
  mkdirSync(world.project);
  writeFileSync(join(world.project, 'skillpack.json'), '{"targets":["claude-code"]}\n');
  await world.install(['org/pdf', 'org/csv']);
  await world.offer({ name: 'org/pdf', version: '1.1.0', skills: { pdf: skill('pdf', 'Newer.') } });
  await world.offer({ name: 'org/new', version: '1.0.0' });
  const dir = mkdtempSync(join(tmpdir(), 'skillpack-template-'));
  for (const folder of ['project', 'cache']) {
    cpSync(join(world.dir, folder), join(dir, folder), { recursive: true, verbatimSymlinks: true });
  }
  return { dir, ports: world.ports };
}
