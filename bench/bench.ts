import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { help, readOptions, workspace, type BenchOptions } from './bench-options.ts';
import { installTools } from './install-tools.ts';
import { runProgram } from './fixtures/run-program.ts';
import { runRace, type Outcome } from './measure/run-race.ts';
import type { RaceEntry } from './races/all-races.ts';
import { openWorld } from './races/bench-world.ts';
import { describeMachine } from './report/describe-machine.ts';
import { growthTable, type Growth } from './report/growth-table.ts';
import { jobList, resultTable } from './report/result-table.ts';
import { misses } from './report/verdict.ts';
import { writeSection } from './report/write-section.ts';

const page = join(workspace, 'docs', 'performance.md');
const tools = join(workspace, 'temp', 'bench', 'tools');

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) console.log(help);
  else if (options.list) console.log(options.chosen.map(({ id }) => id).join('\n'));
  else await bench(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

async function bench(options: BenchOptions): Promise<void> {
  const { chosen, command, scale, json, writeDocs } = options;
  if (process.platform !== 'linux') throw new Error('The bench measures on Linux: it needs /dev/shm and GNU tools.');
  if (!existsSync(command)) throw new Error(`${command} is not built; run \`npx -y pnpm@12 build\`.`);
  if (options.withTools) await installTools(tools);
  const machine = await describeMachine(workspace, tools);
  console.log(`${machine}\n`);
  const outcomes = await measure(chosen, options);
  const table = resultTable(outcomes);
  console.log(`\n${table}\n`);
  const growths = scale === undefined ? [] : await measureGrowth(outcomes, scale, options);
  if (scale !== undefined) console.log(`\n${growthTable(growths, scale)}\n`);
  const missed = misses(outcomes);
  console.log(missed.length === 0 ? 'Every bar is kept.' : missed.join('\n'));
  if (json !== undefined) await writeFile(json, `${JSON.stringify({ machine, outcomes, growths }, null, 2)}\n`);
  if (writeDocs) {
    const day = new Date().toISOString().slice(0, 10);
    await writeSection(page, {
      name: 'table',
      text: `Measured on ${day}. ${machine}\n\n${table}\n\n${jobList(outcomes)}`,
    });
    if (scale !== undefined) await writeSection(page, { name: 'growth', text: growthTable(growths, scale) });
    await runProgram([join(workspace, 'node_modules', '.bin', 'oxfmt'), page], { cwd: workspace });
  }
  if (options.check && missed.length > 0) process.exitCode = 1;
}

/** Runs the races one after another. One that fails is told, and keeps no other from being run. */
async function measure(entries: readonly RaceEntry[], options: BenchOptions): Promise<readonly Outcome[]> {
  const { world, close } = await openWorld({ workspace, tools, command: options.command, size: options.size });
  const outcomes: Outcome[] = [];
  let interrupted = false;
  const interrupt = (signal: NodeJS.Signals): void => {
    interrupted = true;
    void close().finally(() => process.kill(process.pid, signal));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  try {
    for (const { id, open } of entries) {
      try {
        const outcome = await runRace(await open(world), { id, rounds: options.rounds });
        outcomes.push(outcome);
        console.log(resultTable([outcome]).split('\n').slice(2).join('\n'));
      } catch (error) {
        if (interrupted) throw new Error('Interrupted.', { cause: error });
        process.exitCode = 1;
        console.error(`${id} failed: ${error instanceof Error ? error.message : String(error)}`);
      }
      await world.clear();
    }
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
    await close();
  }
  return outcomes;
}

async function measureGrowth(
  outcomes: readonly Outcome[],
  scale: number,
  options: BenchOptions,
): Promise<readonly Growth[]> {
  const growing = options.chosen.filter(
    ({ id, most }) => most >= scale * options.size && outcomes.some((outcome) => outcome.id === id),
  );
  const grown = await measure(growing, { ...options, size: options.size * scale });
  return grown.flatMap((large) => {
    const small = outcomes.find(({ id }) => id === large.id);
    return small === undefined ? [] : [{ small, large }];
  });
}
