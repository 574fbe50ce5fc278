import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { quoted, SkillsError } from '@skillpack/core';
import { errnoOf } from '../errno.js';
import { findConfined, type ConfinedEntry } from './confined-entry.js';
import { isOpenAt } from './is-open-at.js';

/** A file that is open for reading. */
export interface ConfinedFile extends ConfinedEntry {
  readonly descriptor: number;
}

// Without O_NONBLOCK, opening a pipe waits for a writer for ever. Windows has neither.
const reading = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** Editors put a new file in the place of the old one: whoever asks again finds it. */
const attempts = 5;

/**
 * Opens a regular file below a folder, and gives it to `use`. Where a folder on the way became a link meanwhile, what
 * was opened is not what was looked at; that is found out, and it is tried again.
 *
 * @throws as {@link findConfined}; `INVALID_INPUT` for what is no regular file.
 */
export function withConfinedFile<Result>(folder: string, path: string, use: (file: ConfinedFile) => Result): Result {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const found = findConfined(folder, path);
    checkRegular(found, path);
    const descriptor = open(found, path);
    if (descriptor === undefined) continue;
    try {
      const stats = fstatSync(descriptor);
      if (stats.isFile() && isOpenAt(descriptor, found)) return use({ ...found, stats, descriptor });
    } finally {
      closeSync(descriptor);
    }
  }
  throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `${quoted(path)} becomes another file whenever it is opened.`, {
    data: { path: path.slice(0, 1024) },
  });
}

/** @throws `INVALID_INPUT` for what is no regular file. */
export function checkRegular({ stats }: ConfinedEntry, path: string): void {
  if (stats.isFile()) return;
  const kind = stats.isDirectory() ? 'a folder' : 'no regular file';
  throw new SkillsError('INVALID_INPUT', `${quoted(path)} is ${kind}.`, { data: { path: path.slice(0, 1024) } });
}

/** A descriptor, or `undefined` where something became a link or went away since it was found. */
function open({ path }: ConfinedEntry, asked: string): number | undefined {
  try {
    return openSync(path, reading);
  } catch (error) {
    const code = errnoOf(error);
    if (['ELOOP', 'EMLINK', 'ENOENT', 'ENOTDIR'].includes(code)) return undefined;
    throw new SkillsError('IO_ERROR', `The system does not open ${quoted(asked)} (${code}).`, { cause: error });
  }
}
