import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareTrees } from '../fixtures/compare-trees.ts';
import { largePacks, smallPacks, type OfferedPack, type PackRegistry } from '../fixtures/pack-registry.ts';
import type { Contestant, Race } from '../measure/contestant.ts';
import { largeSize, sized, type BenchWorld, type Place } from './bench-world.ts';
import { pnpmInstall } from './npm-rivals.ts';
import { wantsOf } from './installed-project.ts';
import { skillsProject } from './skills-project.ts';

/** One pack of 20 files into an empty project, from an empty cache. */
export async function coldOneRace(world: BenchWorld, place: Place): Promise<Race> {
  const offer = await smallPacks(sized(500, world), world);
  const packs = offer.packs.slice(1, 1 + Math.max(1, Math.round(world.size)));
  const url = await world.serve(offer.registry);
  const base = world.folder(place, 'cold-1-curl');
  const lines = packs.map(({ name, archive }) => `curl -sS --fail '${url}${archive}' | tar -xz -C '${base}/${name}'`);
  return {
    job: `${packs.length === 1 ? 'one pack' : `${packs.length} packs`} of 20 files, cold`,
    ours: coldInstall(world, place, { offer, packs, url }),
    rivals: [
      {
        contestant: {
          name: '`curl \\| tar x` plus `node -e 0`',
          script: `set -o pipefail; ${lines.join(' && ')} && "$NODE" -e 0`,
          cwd: base,
          lacks: 'nothing is verified or flushed',
          ...unpacked(base, offer, packs),
        },
        bar: 2.5,
        aim: 1.8,
      },
    ],
  };
}

/** 200 packs of 20 files into an empty project, from an empty cache. */
export async function coldManyRace(world: BenchWorld, place: Place): Promise<Race> {
  const offer = await smallPacks(sized(500, world), world);
  const packs = offer.packs.slice(0, sized(200, world));
  const url = await world.serve(offer.registry);
  return {
    job: `${packs.length} packs of 20 files, cold, every file verified`,
    ours: coldInstall(world, place, { offer, packs, url }),
    rivals: [
      {
        contestant: await curlAndBsdtar(world.folder(place, 'cold-200-curl'), { offer, packs, url }),
        ...(place === 'disk' ? { bar: 1.1, aim: 0.9 } : { bar: 0.6, aim: 0.45 }),
      },
      {
        contestant: await pnpmInstall(world, { place, offer, packs }),
        ...(place === 'disk' ? { bar: 0.8, aim: 0.6 } : { bar: 0.4, aim: 0.25 }),
      },
    ],
  };
}

/** One pack of 195 MiB in large files into an empty project, from an empty cache. */
export async function coldLargeRace(world: BenchWorld, place: Place): Promise<Race> {
  const { count, bytes } = largeSize(world);
  const offer = await largePacks({ count, bytes }, world);
  const url = await world.serve(offer.registry);
  const { packs } = offer;
  const base = world.folder(place, 'cold-large-curl');
  const lines = packs.map(
    ({ name, archive }) => `curl -sS --fail -o ${name}.tgz '${url}${archive}' && bsdtar -xf ${name}.tgz -C ${name}`,
  );
  return {
    job: `${count === 1 ? 'one pack' : `${count} packs`} of 200 MB in large files, cold`,
    ours: coldInstall(world, place, { offer, packs, url }),
    rivals: [
      {
        contestant: {
          name: '`curl -o` plus `bsdtar x`',
          script: lines.join(' && '),
          cwd: base,
          lacks: 'nothing is verified or flushed',
          ...unpacked(base, offer, packs),
        },
        bar: 2,
        aim: 1.5,
      },
    ],
  };
}

interface Offer {
  readonly offer: PackRegistry;
  readonly packs: readonly OfferedPack[];
  readonly url: string;
}

function coldInstall(world: BenchWorld, place: Place, { offer, packs, url }: Offer): Contestant {
  const project = skillsProject(world.folder(place, 'cold-skills'), world.command);
  return {
    name: '`skills install`',
    script: project.line('install'),
    cwd: project.folder,
    env: project.env,
    async prepare() {
      await project.emptyCache();
      await project.reset({ registry: url, packs: wantsOf(packs) });
    },
    check: () =>
      project.check(
        offer.skills,
        packs.map(({ name }) => name),
      ),
  };
}

async function curlAndBsdtar(base: string, { offer, packs, url }: Offer): Promise<Contestant> {
  const config = packs.map(({ name, archive }) => `url = "${url}${archive}"\noutput = "${name}.tgz"\n`).join('');
  const { prepare, check } = unpacked(base, offer, packs);
  return {
    name: '`curl -Z` plus `bsdtar x` of each',
    script: `curl -sS --fail -Z -K list && for name in ${packs.map(({ name }) => name).join(' ')}; do bsdtar -xf $name.tgz -C $name || exit; done`,
    cwd: base,
    lacks: 'nothing is verified or flushed',
    prepare: async () => {
      await prepare();
      await writeFile(join(base, 'list'), config);
    },
    check,
  };
}

function unpacked(
  base: string,
  offer: PackRegistry,
  packs: readonly OfferedPack[],
): Required<Pick<Contestant, 'prepare' | 'check'>> {
  return {
    async prepare() {
      await rm(base, { recursive: true, force: true });
      for (const { name } of packs) await mkdir(join(base, name), { recursive: true });
    },
    async check() {
      for (const { name } of packs) await compareTrees(join(offer.skills, name), join(base, name, name));
    },
  };
}
