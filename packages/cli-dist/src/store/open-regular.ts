import { closeSync, constants, fstatSync, openSync, statSync, type Stats } from 'node:fs';
import { asIoError, errnoOf } from '../disk/io-error.js';

/** A file that is open for reading. */
export interface OpenFile {
  readonly descriptor: number;
  readonly size: number;
  readonly stats: Stats;
}

/**
 * Opens for reading; a FIFO somebody put there is not waited for.
 *
 * @returns `undefined` when there is nothing, or no file. @throws `IO_ERROR`.
 */
export function openRegular(path: string): OpenFile | undefined {
  let descriptor: number;
  try {
    // Asked first: where nothing is, the error of opening costs more than all else, and a cold install asks twice a pack.
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined;
    throw asIoError(error, path);
  }
  const stats = fstatSync(descriptor);
  if (stats.isFile()) return { descriptor, size: stats.size, stats };
  closeSync(descriptor);
  return undefined;
}
