import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { SkillsError } from '@skillpack/core';
import { asIoError, errnoOf } from './io-error.js';

// Whatever is read by this is a file of ours, or one that governs a root.
const hint = '`skills doctor` tells what to do about it.';

/**
 * The text of a regular file, or `undefined` when it does not exist. A device or a FIFO is refused without waiting
 * for it.
 *
 * @throws `FILE_TOO_LARGE`, `IO_ERROR`.
 */
export function readText(path: string, maxBytes: number): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw asIoError(error, path);
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new SkillsError('IO_ERROR', `${path} is not a regular file.`, { hint, data: { path } });
    if (stats.size > maxBytes) {
      throw new SkillsError('FILE_TOO_LARGE', `${path} has ${stats.size} bytes; at most ${maxBytes} are read.`, {
        hint,
        data: { path, size: stats.size, maxBytes },
      });
    }
    return readFileSync(descriptor, 'utf8');
  } catch (error) {
    throw asIoError(error, path);
  } finally {
    closeSync(descriptor);
  }
}
