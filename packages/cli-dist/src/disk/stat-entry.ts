import { lstatSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from './io-error.js';

/** What stands at a path, links not followed; `undefined` when nothing does. */
export function statEntry(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A file where a parent folder should be: then nothing stands at the path either.
    if (errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The word for what stands at a path. */
export function kindOfEntry(stats: Stats): 'file' | 'folder' | 'link' | 'device' {
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : 'device';
}

/** What stays the same when an entry is renamed; `undefined` when nothing stands at the path. */
export function inodeOf(path: string): string | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino.toString();
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Whether every folder between `base` and a relative path in it is a folder, not a link to one; or is not there at all. */
export function hasRealParents(base: string, path: string): boolean {
  const parent = dirname(path);
  if (parent === '.') return true;
  const stats = statEntry(join(base, parent));
  return (stats === undefined || stats.isDirectory()) && hasRealParents(base, parent);
}
