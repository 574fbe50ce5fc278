import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scanTree } from '../fixtures/skill-trees.ts';
import type { Race } from '../measure/contestant.ts';
import { timeRun } from '../measure/time-run.ts';
import { sized, type BenchWorld } from './bench-world.ts';

/** Finds 10,000 skills and reads their front matter, with no memory of an earlier scan. */
export async function scanColdRace(world: BenchWorld): Promise<Race> {
  return scanRace(world, { warm: false, bar: 6, aim: 4 });
}

/** The same after an earlier scan. */
export async function scanWarmRace(world: BenchWorld): Promise<Race> {
  return scanRace(world, { warm: true, bar: 2, aim: 1.3 });
}

interface ScanKind {
  readonly warm: boolean;
  readonly bar: number;
  readonly aim: number;
}

async function scanRace(world: BenchWorld, { warm, bar, aim }: ScanKind): Promise<Race> {
  const count = sized(10_000, world);
  const tree = await scanTree(count, world.cache);
  const cwd = world.folder('disk', 'scan');
  const cache = join(cwd, 'cache');
  const library = pathToFileURL(join(world.workspace, 'packages', 'registry-fs', 'dist', 'index.js')).href;
  const [scanRoots, rawReads] = await Promise.all([childProgram('scan-roots', cwd), childProgram('raw-reads', cwd)]);
  const check = async (output: string): Promise<void> => {
    if (Number(output) !== count) throw new Error(`Found ${output.trim()} skills instead of ${count}.`);
  };
  const ours = {
    name: '`scanSkillRoots`',
    script: `$MEASURE "$NODE" '${scanRoots}' '${library}' '${tree}'${warm ? ` '${cache}'` : ''}`,
    cwd,
    check,
  };
  await rm(cache, { recursive: true, force: true });
  if (warm) await timeRun(ours);
  return {
    job: `scan of ${count} skills, ${warm ? 'with what an earlier scan kept' : 'cold'}`,
    ours,
    rivals: [
      {
        contestant: {
          name: '`readdir`, then 4 KiB of each, in Node',
          script: `"$NODE" '${rawReads}' '${tree}'`,
          cwd,
          lacks: 'nothing is parsed',
          check,
        },
        bar,
        aim,
      },
    ],
  };
}

/** A program of `children/` as plain JavaScript, so that stripping its types is not timed. */
async function childProgram(name: string, folder: string): Promise<string> {
  const source = await readFile(join(import.meta.dirname, '..', 'children', `${name}.ts`), 'utf8');
  const path = join(folder, `${name}.mjs`);
  await mkdir(folder, { recursive: true });
  await writeFile(path, stripTypeScriptTypes(source));
  return path;
}
