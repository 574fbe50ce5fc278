import { accessSync, constants } from 'node:fs';
import { statEntry } from '../disk/stat-entry.js';
import type { RootPaths } from '../root/root-paths.js';
import type { Symptom } from './symptom.js';

/** Looks whether the root could be changed at all. */
export function examineAccess(paths: RootPaths): readonly Symptom[] {
  const folders = [...new Set([paths.skillsDir, paths.controlDir, paths.baseDir])];
  return folders
    .filter((folder) => statEntry(folder) !== undefined && !isWritable(folder))
    .map((folder) => ({
      kind: 'not-writable',
      subject: folder,
      message: `${folder} cannot be written.`,
      advice: 'Make it writable, or choose another root.',
    }));
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
