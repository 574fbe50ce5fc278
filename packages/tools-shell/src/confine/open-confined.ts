import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { quoted, SkillsError } from '@skillpack/core';
import { errnoOf } from '../errno.js';
import { findConfined, type ConfinedEntry } from './confined-entry.js';

/** A file that is open for reading. */
export interface ConfinedFile extends ConfinedEntry {
  readonly descriptor: number;
}

// Without O_NONBLOCK, opening a pipe waits for a writer for ever. Windows has neither.
const reading = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens a regular file below a folder, and gives it to `use`. What was opened is compared with what the path means
 * afterwards: a folder that became a link in between is found out.
 *
 * @throws as {@link findConfined}; `INVALID_INPUT` for what is no regular file.
 */
export function withConfinedFile<Result>(folder: string, path: string, use: (file: ConfinedFile) => Result): Result {
  const found = findConfined(folder, path);
  checkRegular(found, path);
  const descriptor = open(found, path);
  try {
    const stats = fstatSync(descriptor);
    const again = findConfined(folder, path);
    if (again.stats.ino !== stats.ino || again.stats.dev !== stats.dev) {
      throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `${quoted(path)} became another file while it was opened.`);
    }
    return use({ ...found, stats, descriptor });
  } finally {
    closeSync(descriptor);
  }
}

/** @throws `INVALID_INPUT` for what is no regular file. */
export function checkRegular({ stats }: ConfinedEntry, path: string): void {
  if (stats.isFile()) return;
  const kind = stats.isDirectory() ? 'a folder' : 'no regular file';
  throw new SkillsError('INVALID_INPUT', `${quoted(path)} is ${kind}.`, { data: { path: path.slice(0, 1024) } });
}

function open({ path }: ConfinedEntry, asked: string): number {
  try {
    return openSync(path, reading);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ELOOP' || code === 'EMLINK') {
      throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `${quoted(asked)} became a link while it was opened.`);
    }
    throw new SkillsError('IO_ERROR', `The system does not open ${quoted(asked)} (${code}).`, { cause: error });
  }
}
