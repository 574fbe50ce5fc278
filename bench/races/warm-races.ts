import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compareTrees } from '../fixtures/compare-trees.ts';
import { smallPacks, type PackRegistry, type OfferedPack } from '../fixtures/pack-registry.ts';
import { runProgram } from '../fixtures/run-program.ts';
import type { Race } from '../measure/contestant.ts';
import { sized, type BenchWorld, type Place } from './bench-world.ts';
import { installedProject } from './installed-project.ts';
import { npmOutdated } from './npm-rivals.ts';
import { emptyNode } from './start-races.ts';

/** 200 packs from a warm cache and a lock file into an empty root. */
export async function frozenRace(world: BenchWorld, place: Place): Promise<Race> {
  const { offer, packs, names } = await manyPacks(world);
  const project = await installedProject(world, { place, name: 'frozen', offer, packs });
  const base = world.folder(place, 'frozen-cp');
  const sources = world.folder(place, 'frozen-source');
  for (const name of names) await cp(join(offer.skills, name), join(sources, name), { recursive: true });
  return {
    job: `${packs.length} packs of 20 files, warm and \`--frozen\``,
    ours: {
      name: '`skills install --frozen`',
      script: project.line('install --frozen'),
      cwd: project.folder,
      env: project.env,
      prepare: () => rm(join(project.folder, '.agents'), { recursive: true, force: true }),
      check: () => project.check(offer.skills, names),
    },
    rivals: [
      {
        contestant: {
          name: '`cp -r`',
          script: `cp -r '${sources}' installed`,
          cwd: base,
          lacks: 'nothing is unpacked, verified or flushed',
          prepare: () => rm(base, { recursive: true, force: true }),
          check: () => compareTrees(sources, join(base, 'installed')),
        },
        ...((await sharesBlocks(sources)) ? { bar: 0.8, aim: 0.8 } : { bar: 2.5, aim: 2 }),
      },
    ],
  };
}

/** An install that finds everything as it should be. */
export async function noopRace(world: BenchWorld): Promise<Race> {
  const { offer, packs, names } = await manyPacks(world);
  const project = await installedProject(world, { place: 'disk', name: 'noop', offer, packs });
  return {
    job: `no-op \`install\` of ${packs.length} packs`,
    ours: {
      name: '`skills install`',
      script: project.line('install --json'),
      cwd: project.folder,
      env: project.env,
      check: async (output) => {
        const { changes } = dataOf(output);
        const kept = changes.filter(({ kind }) => kind === 'keep').length;
        if (kept !== packs.length) throw new Error(`A no-op install kept ${kept} of ${packs.length} packs.`);
      },
    },
    rivals: [{ contestant: emptyNode(project.folder), bar: 3, aim: 2 }],
    // However fast it is found that nothing is missing: what is missing comes back.
    async afterwards() {
      const lost = names.at(-1) ?? '';
      await rm(join(project.root, lost, 'SKILL.md'));
      await project.run(['install']);
      await project.check(offer.skills, [lost]);
    },
  };
}

/** Asks which of 200 packs have newer versions; every tenth has. */
export async function outdatedRace(world: BenchWorld): Promise<Race> {
  const { offer, packs } = await manyPacks(world);
  const project = await installedProject(world, { place: 'disk', name: 'outdated', offer, packs });
  const expected = packs.filter(({ outdated }) => outdated).length;
  return {
    job: `\`outdated\` of ${packs.length} packs`,
    ours: {
      name: '`skills outdated`',
      script: project.line('outdated --json'),
      cwd: project.folder,
      env: project.env,
      exitCode: 1,
      check: async (output) => {
        const { checked, outdated } = dataOf(output);
        if (checked !== packs.length || outdated.length !== expected)
          throw new Error(`${outdated.length} of ${checked} packs are outdated, not ${expected} of ${packs.length}.`);
      },
    },
    rivals: [{ contestant: await npmOutdated(world, { place: 'disk', offer, packs }), bar: 0.3, aim: 0.15 }],
  };
}

/** Lists 500 installed skills. */
export async function listRace(world: BenchWorld): Promise<Race> {
  const offer = await smallPacks(sized(500, world), world);
  const { packs } = offer;
  const project = await installedProject(world, { place: 'disk', name: 'list', offer, packs });
  return {
    job: `\`list\` of ${packs.length} skills`,
    ours: {
      name: '`skills list`',
      script: project.line('list'),
      cwd: project.folder,
      env: project.env,
      check: async (output) => {
        const missing = packs.find(({ name }) => !output.includes(name));
        if (missing !== undefined) throw new Error(`list does not show ${missing.name}.`);
      },
    },
    rivals: [{ contestant: emptyNode(project.folder), bar: 3, aim: 2 }],
  };
}

async function manyPacks(world: BenchWorld): Promise<{
  readonly offer: PackRegistry;
  readonly packs: readonly OfferedPack[];
  readonly names: readonly string[];
}> {
  const offer = await smallPacks(sized(500, world), world);
  const packs = offer.packs.slice(0, sized(200, world));
  return { offer, packs, names: packs.map(({ name }) => name) };
}

/** What is read of the data that `install` and `outdated` print with `--json` (docs/cli.md). */
interface Answer {
  readonly changes: readonly { readonly kind: string }[];
  readonly checked: number;
  readonly outdated: readonly unknown[];
}

function dataOf(output: string): Answer {
  // The command promises this shape; with another one the checks of the races fail.
  return (JSON.parse(output) as { readonly data: Answer }).data;
}

/** Whether a copy in this folder can share the blocks of the file it was made of. */
async function sharesBlocks(folder: string): Promise<boolean> {
  try {
    await runProgram(['cp', '--reflink=always', '--recursive', folder, `${folder}-shared`], { cwd: folder });
    return true;
  } catch {
    return false;
  } finally {
    await rm(`${folder}-shared`, { recursive: true, force: true });
  }
}
