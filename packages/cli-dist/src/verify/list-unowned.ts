import { foldPath, type InstallReceipt } from '@skillpack/core';

/**
 * The entries of a root's folder that no pack owns, sorted. One that differs from an installed skill only in how it is
 * spelled is the skill itself, renamed, where nothing has the very name.
 */
export function listUnowned(
  entries: ReadonlySet<string>,
  packs: Iterable<Pick<InstallReceipt, 'skills'>>,
): readonly string[] {
  const owned = new Map([...packs].flatMap(({ skills }) => skills.map((skill) => [foldPath(skill), skill])));
  return [...entries]
    .filter((entry) => {
      const skill = owned.get(foldPath(entry));
      return skill === undefined || (skill !== entry && entries.has(skill));
    })
    .toSorted();
}
