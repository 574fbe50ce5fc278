import { join } from 'node:path';
import { largePacks, smallPacks, type PackRegistry } from '../fixtures/pack-registry.ts';
import type { Race } from '../measure/contestant.ts';
import { largeSize, sized, type BenchWorld } from './bench-world.ts';
import { expectDamageSeen, installedProject, openssl } from './installed-project.ts';

/** Reads and hashes every file of 500 skills of 20 files. */
export async function verifyManyRace(world: BenchWorld): Promise<Race> {
  const offer = await smallPacks(sized(500, world), world);
  return verifyRace(world, offer, { job: `\`verify\` of ${offer.packs.length} skills of 20 files`, bar: 4, aim: 3 });
}

/** Reads and hashes 195 MiB in five files. */
export async function verifyLargeRace(world: BenchWorld): Promise<Race> {
  const offer = await largePacks(largeSize(world), world);
  const megabytes = 200 * offer.packs.length;
  return verifyRace(world, offer, { job: `\`verify\` of ${megabytes} MB in large files`, bar: 1.5, aim: 1.25 });
}

async function verifyRace(
  world: BenchWorld,
  offer: PackRegistry,
  { job, bar, aim }: { readonly job: string; readonly bar: number; readonly aim: number },
): Promise<Race> {
  const { packs } = offer;
  const project = await installedProject(world, { place: 'disk', name: `verify-${packs.length}`, offer, packs });
  return {
    job,
    ours: { name: '`skills verify`', script: project.line('verify'), cwd: project.folder, env: project.env },
    rivals: [{ contestant: await openssl(project), bar, aim }],
    afterwards: () => expectDamageSeen(project, join(packs.at(-1)?.name ?? '', 'SKILL.md')),
  };
}
