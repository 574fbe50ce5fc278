import { accessSync, constants } from 'node:fs';
import { sep } from 'node:path';
import { errnoOf } from '../disk/io-error.js';
import { statEntry } from '../disk/stat-entry.js';
import type { RootPaths } from '../root/root-paths.js';
import type { Symptom } from './symptom.js';

/** Looks whether the root could be changed at all: one symptom for folders that lie in each other. */
export function examineAccess(paths: RootPaths): readonly Symptom[] {
  const folders = [...new Set([paths.baseDir, paths.skillsDir, paths.controlDir])];
  const refused = folders.flatMap((folder) => {
    const errno = whyUnwritable(folder);
    return errno === undefined ? [] : [{ folder, errno }];
  });
  const isIn = (folder: string, outer: string): boolean => folder.startsWith(`${outer}${sep}`);
  return refused
    .filter(({ folder }) => !refused.some((outer) => isIn(folder, outer.folder)))
    .map(({ folder, errno }) => {
      const inner = refused.filter((other) => isIn(other.folder, folder)).map((other) => other.folder);
      const too = inner.length === 0 ? '' : `, nor can ${inner.join(' and ')}`;
      return {
        kind: 'not-writable',
        subject: folder,
        message: `${folder} cannot be written (${errno})${too}.`,
        advice:
          'Make it writable, or choose another root. As it is, what is installed can be used and verified, and nothing ' +
          'be installed, updated or removed.',
      };
    });
}

function whyUnwritable(folder: string): string | undefined {
  if (statEntry(folder) === undefined) return undefined;
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return errnoOf(error) ?? 'unknown';
  }
}
