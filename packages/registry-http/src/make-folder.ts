import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, where they are not there: without Node's `recursive`, which never ends where a file
 * system has no place for folders.
 *
 * @param mode of those that are made
 * @returns the first that was made; `undefined` when all were there.
 * @throws what the disk throws.
 */
export function makeFolder(path: string, mode = 0o777): string | undefined {
  if (isFolder(path)) return undefined;
  const parent = dirname(path);
  const first = parent === path ? undefined : makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process has made it meanwhile.
    if (isFolder(path)) return first;
    throw error;
  }
  return first ?? path;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
