import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from './io-error.js';

/**
 * Makes a folder and those above it, where they are not there. Unlike the `recursive` of Node, which says `ENOENT` of a
 * read-only file system, a quota and a broken device, and never ends where a file system has no place for folders.
 *
 * @param mode of those that are made
 * @returns the first that was made; `undefined` when all were there.
 * @throws what the disk throws.
 */
export function makeFolder(path: string, mode = 0o777): string | undefined {
  if (isFolder(path)) return undefined;
  const parent = dirname(path);
  try {
    mkdirSync(path, { mode });
    return path;
  } catch (error) {
    const code = errnoOf(error);
    // Another process has made it meanwhile.
    if (code === 'EEXIST' && isFolder(path)) return undefined;
    if (code !== 'ENOENT' || parent === path || isFolder(parent)) throw error;
  }
  const first = makeFolder(parent, mode);
  return makeFolder(path, mode) === undefined ? first : (first ?? path);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // Making it tells what is wrong.
    return false;
  }
}
