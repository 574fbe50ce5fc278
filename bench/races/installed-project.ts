import { appendFile, readdir, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { OfferedPack, PackRegistry } from '../fixtures/pack-registry.ts';
import type { Contestant } from '../measure/contestant.ts';
import type { BenchWorld, Place } from './bench-world.ts';
import { skillsProject, type SkillsProject } from './skills-project.ts';

/** Packs that are installed before anything is timed. */
export interface Installation {
  readonly place: Place;
  /** What the folder it is in is called. */
  readonly name: string;
  readonly offer: PackRegistry;
  readonly packs: readonly OfferedPack[];
}

/** What a project wants that has all of these in their first version. */
export function wantsOf(packs: readonly OfferedPack[]): Readonly<Record<string, string>> {
  return Object.fromEntries(packs.map(({ name }) => [`bench/${name}`, '1.0.0']));
}

/** A project in which these packs are installed, with a lock file and a warm cache. */
export async function installedProject(
  world: BenchWorld,
  { place, name, offer, packs }: Installation,
): Promise<SkillsProject> {
  const project = skillsProject(world.folder(place, name), world.command);
  await project.reset({ registry: await world.serve(offer.registry), packs: wantsOf(packs) });
  await project.run(['install']);
  await project.check(
    offer.skills,
    packs.map((pack) => pack.name),
  );
  return project;
}

/** `openssl dgst -sha256` over all skills of a project. */
export async function openssl(project: SkillsProject): Promise<Contestant> {
  const entries = await readdir(project.root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(project.root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('.skillpack/'));
  const list = join(project.folder, '..', 'hashed-files');
  await writeFile(list, files.map((path) => `${path}\0`).join(''));
  return {
    name: '`openssl dgst -sha256`',
    // As many files as an argument list holds; more than that takes a second openssl.
    script: `xargs -0 -s 1500000 -a '${list}' openssl dgst -sha256`,
    cwd: project.root,
    check: async (output) => {
      const hashed = output.trim().split('\n').length;
      if (hashed !== files.length) throw new Error(`openssl hashed ${hashed} of ${files.length} files.`);
    },
  };
}

/** Throws unless `verify` sees that one byte of this file of the root has changed; size and times stay. */
export async function expectDamageSeen(project: SkillsProject, path: string): Promise<void> {
  const file = join(project.root, path);
  const { size, atime, mtime } = await stat(file);
  await truncate(file, size - 1);
  await appendFile(file, '~');
  await utimes(file, atime, mtime);
  await project.run(['verify'], 1);
}
