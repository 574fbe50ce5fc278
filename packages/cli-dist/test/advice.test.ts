import { expect, test } from 'vitest';
import { installedWorld } from './installed-world.js';
import { commandsIn, runWords } from './run-words.js';
import { sicknesses } from './sick-roots/sicknesses.js';
import type { Sickness } from './sick-roots/sickness.js';
import type { World } from './world.js';

const long = process.env['SKILLPACK_LONG_TESTS'] !== undefined;
const commands = long
  ? ['skills install', 'skills install --frozen', 'skills update', 'skills verify', 'skills uninstall org/pdf']
  : ['skills install', 'skills verify', 'skills uninstall org/pdf'];
const patience = 6;

/**
 * Follows what each failure tells to do until the command succeeds; nobody is told the same twice.
 *
 * @returns how often it failed.
 */
async function follow(command: string, world: World, byHand: Sickness['byHand']): Promise<number> {
  const told = new Set<string>();
  for (let step = 0; step < patience; step += 1) {
    const { ok, said, advice } = await runWords(command, world);
    if (ok) return step;
    expect([...told], `${command} goes in circles`).not.toContain(said + advice);
    told.add(said + advice);
    if (/\bagain with --replace\b/u.test(advice)) {
      expect(await runWords(`${command} --replace`, world)).toMatchObject({ ok: true });
      return step;
    }
    const next = commandsIn(advice);
    if (step === 0 && byHand !== undefined) await byHand(world);
    else expect(next, `${command}: ${said} ${advice}`).not.toEqual([]);
    for (const line of next) await followOnce(line, world, told);
  }
  throw new Error(`${command} did not succeed in ${patience} steps: ${[...told].join('\n')}`);
}

/** Runs what was told, and what that tells to run. */
async function followOnce(line: string, world: World, told: Set<string>): Promise<void> {
  const { ok, said, advice } = await runWords(line, world);
  if (ok || told.has(said + advice)) return;
  told.add(said + advice);
  for (const next of commandsIn(advice)) if (next !== line) await followOnce(next, world, told);
}

const rows = sicknesses.flatMap((sickness) => commands.map((command) => ({ ...sickness, command })));

test.runIf(process.platform !== 'win32').each(rows)(
  'the advice of `$command` leads out of $state',
  async ({ command, harm, byHand }) => {
    const world = await installedWorld();
    await harm(world);
    expect(await follow(command, world, byHand)).toBeLessThan(patience);
  },
);
