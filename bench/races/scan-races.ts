import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scanTree } from '../fixtures/skill-trees.ts';
import type { Race } from '../measure/contestant.ts';
import { sized, type BenchWorld } from './bench-world.ts';

/** Finds 10,000 skills and reads their front matter. */
export async function scanColdRace(world: BenchWorld): Promise<Race> {
  const count = sized(10_000, world);
  const tree = await scanTree(count, world.cache);
  const library = pathToFileURL(join(world.workspace, 'packages', 'registry-fs', 'dist', 'index.js'));
  const cwd = world.folder('disk', 'scan');
  const [scanRoots, rawReads] = await Promise.all([childProgram('scan-roots', cwd), childProgram('raw-reads', cwd)]);
  const finds = async (output: string): Promise<void> => {
    if (Number(output) !== count) throw new Error(`Found ${output.trim()} skills instead of ${count}.`);
  };
  return {
    job: `scan of ${count} skills, cold`,
    ours: {
      name: '`scanSkillRoots`',
      script: `$MEASURE "$NODE" '${scanRoots}' '${library.href}' '${tree}'`,
      cwd,
      check: finds,
    },
    rivals: [
      {
        contestant: {
          name: '`readdir`, then 4 KiB of each, in Node',
          script: `"$NODE" '${rawReads}' '${tree}'`,
          cwd,
          lacks: 'nothing is parsed',
          check: finds,
        },
        bar: 6,
        aim: 4,
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
