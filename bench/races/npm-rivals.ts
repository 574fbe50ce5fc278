import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareTrees } from '../fixtures/compare-trees.ts';
import { npmPackages, organisation } from '../fixtures/npm-packages.ts';
import type { OfferedPack, PackRegistry } from '../fixtures/pack-registry.ts';
import { runProgram } from '../fixtures/run-program.ts';
import type { Absent, Contestant } from '../measure/contestant.ts';
import { verdaccioProgram } from '../servers/verdaccio.ts';
import type { BenchWorld, Place } from './bench-world.ts';

/** What a rival takes part with. */
export interface RivalOffer {
  readonly place: Place;
  readonly offer: PackRegistry;
  readonly packs: readonly OfferedPack[];
}

/** `pnpm install` of the same trees from verdaccio, from an empty store. */
export async function pnpmInstall(
  world: BenchWorld,
  { place, offer, packs }: RivalOffer,
): Promise<Contestant | Absent> {
  const name = '`pnpm install` from verdaccio';
  const verdaccio = verdaccioProgram(world.tools);
  const pnpm = join(world.tools, 'node_modules', 'pnpm', 'pnpm');
  if (verdaccio === undefined || !existsSync(pnpm)) return notInstalled(name);
  const url = await world.serveNpm(verdaccio, await npmPackages(offer, packs, { cache: world.cache, verdaccio }));
  const base = world.folder(place, 'pnpm');
  const project = join(base, 'project');
  return {
    name,
    script: `'${pnpm}' install --ignore-scripts --no-frozen-lockfile --registry '${url}' --store-dir '${join(base, 'store')}'`,
    cwd: project,
    env: npmEnvironment(base),
    lacks: 'no file is flushed',
    async prepare() {
      await rm(base, { recursive: true, force: true });
      await writeProject(project, packs);
      // What was published for this measurement is younger than what pnpm takes by itself.
      await writeFile(join(project, 'pnpm-workspace.yaml'), 'packages: []\nminimumReleaseAge: 0\n');
    },
    check: () => checkModules(project, offer, packs),
  };
}

/** `npm outdated` of the same packages, installed from verdaccio, with a warm cache. */
export async function npmOutdated(
  world: BenchWorld,
  { place, offer, packs }: RivalOffer,
): Promise<Contestant | Absent> {
  const name = '`npm outdated` of verdaccio';
  const verdaccio = verdaccioProgram(world.tools);
  if (verdaccio === undefined) return notInstalled(name);
  const url = await world.serveNpm(verdaccio, await npmPackages(offer, packs, { cache: world.cache, verdaccio }));
  const base = world.folder(place, 'npm');
  const project = join(base, 'project');
  const env = npmEnvironment(base);
  await writeProject(project, packs);
  const words = ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--registry', url];
  await runProgram(words, { cwd: project, env });
  await checkModules(project, offer, packs);
  const expected = packs.filter(({ outdated }) => outdated).length;
  return {
    name,
    script: `npm outdated --json --registry '${url}'`,
    cwd: project,
    env,
    exitCode: expected > 0 ? 1 : 0,
    check: async (output) => {
      const found = Object.keys(JSON.parse(output) as object).length;
      if (found !== expected) throw new Error(`npm finds ${found} packages outdated instead of ${expected}.`);
    },
  };
}

/** Says of a tool how it comes to be there. */
export function notInstalled(name: string): Absent {
  return { name, absent: 'not installed: `npx -y pnpm@12 bench --with-tools`' };
}

function npmEnvironment(base: string): Readonly<Record<string, string>> {
  return {
    HOME: base,
    CI: 'true',
    XDG_CACHE_HOME: join(base, 'cache'),
    npm_config_cache: join(base, 'cache', 'npm'),
    npm_config_update_notifier: 'false',
  };
}

async function writeProject(project: string, packs: readonly OfferedPack[]): Promise<void> {
  const dependencies = Object.fromEntries(packs.map(({ name }) => [`${organisation}/${name}`, '1.0.0']));
  await mkdir(project, { recursive: true });
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, dependencies }));
}

async function checkModules(project: string, offer: PackRegistry, packs: readonly OfferedPack[]): Promise<void> {
  for (const { name } of packs) {
    const installed = join(project, 'node_modules', organisation, name);
    await compareTrees(join(offer.skills, name), installed, { ignore: 'package.json' });
  }
}
