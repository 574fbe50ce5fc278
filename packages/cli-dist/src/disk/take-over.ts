import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * Gives a file, a link or a whole folder a second place; links are not followed. Files become hard links, so that
 * whoever writes to one at this moment writes to both, or copies where the file system has none. Where the first place
 * stays in use, `copy` makes sure that the second does not change with it.
 *
 * @returns the files that were made.
 */
export function takeOver(source: string, target: string, how: 'link' | 'copy' = 'link'): readonly string[] {
  const stats = lstatSync(source);
  if (stats.isDirectory()) {
    mkdirSync(target, { recursive: true });
    return readdirSync(source).flatMap((name) => takeOver(join(source, name), join(target, name), how));
  }
  if (stats.isSymbolicLink()) {
    symlinkSync(readlinkSync(source), target);
    return [];
  }
  if (!stats.isFile()) {
    // A FIFO or a device has no content to copy; reading it could wait forever.
    linkSync(source, target);
    return [];
  }
  if (how === 'copy' || !linked(source, target)) {
    copyFileSync(source, target, constants.COPYFILE_FICLONE);
    utimesSync(target, stats.atime, stats.mtime);
  }
  return [target];
}

function linked(source: string, target: string): boolean {
  try {
    linkSync(source, target);
    return true;
  } catch {
    return false;
  }
}
