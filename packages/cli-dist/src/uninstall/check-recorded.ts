import { join } from 'node:path';
import { foldPath, SkillsError, type PackName } from '@skillpack/core';
import { kindOfEntry, statEntry } from '../disk/stat-entry.js';
import type { RootState } from '../lock/root-state.js';
import type { RootPaths } from '../root/root-paths.js';

/** Packs that are to be removed, and what is known of them. */
export interface RemovedPacks {
  readonly names: Iterable<PackName>;
  /** Installed packs and their skills, by their records. */
  readonly installed: ReadonlyMap<PackName, readonly string[]>;
  readonly state: Pick<RootState, 'lock'>;
}

/**
 * Looks whether a folder stands where a pack that is to be removed is locked, while no record says that the pack brought
 * it. To take the pack out of the lock file would make that folder a stranger's for ever; to remove it might take what a
 * person made.
 *
 * @throws `FOLDER_NOT_OWNED`.
 */
export function checkRecorded({ names, installed, state }: RemovedPacks, paths: RootPaths): void {
  const owned = new Set([...installed.values()].flat().map(foldPath));
  for (const name of names) {
    const recorded = installed.get(name) ?? [];
    const locked = recorded.length > 0 ? [] : (state.lock?.packs[name]?.skills ?? []);
    const present = locked.filter(
      (skill) => !owned.has(foldPath(skill)) && statEntry(join(paths.skillsDir, skill)) !== undefined,
    );
    const [first] = present;
    if (first !== undefined) throw unrecorded({ name, first, present }, paths);
  }
}

function unrecorded(
  { name, first, present }: { readonly name: PackName; readonly first: string; readonly present: readonly string[] },
  { skillsDir }: RootPaths,
): SkillsError {
  const stats = statEntry(join(skillsDir, first));
  const places = present.map((skill) => join(skillsDir, skill)).join(' and ');
  return new SkillsError(
    'FOLDER_NOT_OWNED',
    `${name} is locked and ${present.join(', ')} is here, but no record says that ${name} brought it.`,
    {
      hint: `Nothing was removed. Move ${places} away, then run it again.`,
      data: { name, skill: first, place: stats === undefined ? 'absent' : kindOfEntry(stats) },
    },
  );
}
