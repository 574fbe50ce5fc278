import { SkillsError, type PackName } from '@skillpack/core';
import { asIoError } from '../disk/io-error.js';
import type { GoverningFiles } from '../lock/root-state.js';
import type { RootPaths } from '../root/root-paths.js';
import type { DoctorNote } from './doctor-report.js';
import { readGoverningFilesApart } from './read-files-apart.js';

/**
 * Names the packs that the lock file alone keeps: somebody asked for them once, `skillpack.json` does not want them, and
 * no locked pack needs them. They are no fault, since `install --no-save` makes such packs, and neither is told from one
 * that a merge brought back. Where there is no `skillpack.json`, nothing says what is wanted.
 */
export function noteUnwanted(paths: RootPaths): readonly DoctorNote[] {
  const { project, lock } = readIfPossible(paths);
  if (project === undefined || lock === undefined) return [];
  const needed = new Set(Object.values(lock.packs).flatMap(({ dependencies }) => Object.keys(dependencies)));
  const kept = (name: string): boolean => !needed.has(name) && !Object.hasOwn(project.packs ?? {}, name);
  // One without a range was only ever a dependency: the next install removes it.
  const names = (Object.keys(lock.packs) as PackName[]) // keys of a record of pack names
    .filter((name) => lock.packs[name]?.range !== undefined && kept(name))
    .toSorted();
  return names.map((name) => ({
    kind: 'unwanted-pack',
    subject: name,
    message: 'skillpack.json does not want it; the lock file alone keeps it.',
    advice: `If nobody needs it, run \`skills uninstall ${name}\`.`,
  }));
}

/** That one of them cannot be read is a finding already. */
function readIfPossible(paths: RootPaths): Pick<GoverningFiles, 'project' | 'lock'> {
  try {
    return readGoverningFilesApart(paths);
  } catch (error) {
    const failure: unknown = asIoError(error);
    if (!SkillsError.is(failure, 'IO_ERROR')) throw failure;
    return { project: undefined, lock: undefined };
  }
}
