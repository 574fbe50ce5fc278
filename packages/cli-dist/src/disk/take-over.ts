import {
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
 * Gives a file, a link or a whole folder a second place. Files become hard links, so that whoever writes to one at this
 * moment writes to both, or copies where the file system has none; links are not followed.
 *
 * @returns the files that were made.
 */
export function takeOver(source: string, target: string): readonly string[] {
  const stats = lstatSync(source);
  if (stats.isDirectory()) {
    mkdirSync(target, { recursive: true });
    return readdirSync(source).flatMap((name) => takeOver(join(source, name), join(target, name)));
  }
  if (stats.isSymbolicLink()) {
    symlinkSync(readlinkSync(source), target);
    return [];
  }
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
    utimesSync(target, stats.atime, stats.mtime);
  }
  return stats.isFile() ? [target] : [];
}
