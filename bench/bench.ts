import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runRace, type Outcome } from './measure/run-race.ts';
import { allRaces, type RaceEntry } from './races/all-races.ts';
import { openWorld } from './races/bench-world.ts';
import { tableOf } from './report/table.ts';
import { misses } from './report/verdict.ts';

const workspace = dirname(import.meta.dirname);

const help = `pnpm bench [row…] [--rounds N] [--size F] [--command FILE] [--json FILE] [--check] [--list]

Times the built command against references, in turn, on this machine: all rows, or those whose names begin so.

  --rounds N      runs of each contestant; the least counts (default: 9, 5 or 3, by how long they take)
  --size F        multiplies how many packs, skills and bytes there are
  --command FILE  measures another build of the command
  --json FILE     writes what was measured
  --check         exit code 1 when a bar is missed
  --list          names the rows`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    size: { type: 'string', default: '1' },
    command: { type: 'string', default: join(workspace, 'apps', 'cli', 'dist', 'skills.js') },
    json: { type: 'string' },
    check: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const chosen = allRaces.filter(
  ({ id }) => positionals.length === 0 || positionals.some((name) => id === name || id.startsWith(`${name}-`)),
);
if (values.help) {
  console.log(help);
} else if (values.list) {
  console.log(chosen.map(({ id }) => id).join('\n'));
} else {
  const outcomes = await measure(chosen);
  console.log(`\n${tableOf(outcomes)}`);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(outcomes, null, 2)}\n`);
  const missed = misses(outcomes);
  if (missed.length > 0) console.log(`\n${missed.join('\n')}`);
  if (values.check && missed.length > 0) process.exitCode = 1;
}

async function measure(entries: readonly RaceEntry[]): Promise<readonly Outcome[]> {
  const command = resolve(values.command);
  if (!existsSync(command)) throw new Error(`${command} is not built; run \`pnpm build\`.`);
  const { world, close } = await openWorld({ workspace, command, size: Number(values.size) });
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  const outcomes: Outcome[] = [];
  try {
    for (const { id, open } of entries) {
      const race = await open(world);
      const outcome = await runRace(race, { id, rounds });
      await race.close?.();
      outcomes.push(outcome);
      console.log(tableOf([outcome]).split('\n').slice(2).join('\n'));
    }
  } finally {
    await close();
  }
  return outcomes;
}
