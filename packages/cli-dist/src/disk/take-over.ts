import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { makeFolder } from './make-folder.js';
import { rawNames, rawPath, type RawName } from './raw-names.js';

/** What was made when something was taken over. */
export interface TakenOver {
  readonly files: readonly RawName[];
  /** Each before those in it. */
  readonly folders: readonly RawName[];
}

/**
 * Gives a file, a link or a whole folder a second place; links are not followed. Files become hard links, so that
 * whoever writes to one at this moment writes to both, or copies where the file system has none. Where the first place
 * stays in use, `copy` makes sure that the second does not change with it.
 */
export function takeOver(source: RawName, target: RawName, how: 'link' | 'copy' = 'link'): TakenOver {
  const stats = lstatSync(source);
  if (stats.isDirectory()) {
    if (typeof target === 'string') makeFolder(target);
    else mkdirSync(target);
    const inside = rawNames(source).map((name) => takeOver(rawPath(source, name), rawPath(target, name), how));
    return {
      files: inside.flatMap(({ files }) => files),
      folders: [target, ...inside.flatMap(({ folders }) => folders)],
    };
  }
  if (stats.isSymbolicLink()) {
    symlinkSync(readlinkSync(source, 'buffer'), target);
    return { files: [], folders: [] };
  }
  if (!stats.isFile()) {
    // A FIFO or a device has no content to copy; reading it could wait forever.
    linkSync(source, target);
    return { files: [], folders: [] };
  }
  if (how === 'copy' || !linked(source, target)) {
    copyFileSync(source, target, constants.COPYFILE_FICLONE);
    utimesSync(target, stats.atime, stats.mtime);
  }
  return { files: [target], folders: [] };
}

function linked(source: RawName, target: RawName): boolean {
  try {
    linkSync(source, target);
    return true;
  } catch {
    return false;
  }
}
