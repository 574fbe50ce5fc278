import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { SkillsError } from '@skillpack/core';
import { errnoOf } from './errno-of.js';

/** What is asked of a file before it is read. */
export interface ReadFileOptions {
  readonly maxBytes: number;
  /** Throws when a file like this is not to be read. It is handed the opened file's, not those of the path. */
  readonly check?: ((stats: Stats) => void) | undefined;
}

/**
 * The bytes of a regular file, or `undefined` when there is none. A project of somebody else may have a device, a FIFO
 * or a file without end in its place: these are refused without waiting for them, and before they fill the memory.
 *
 * @throws `FILE_TOO_LARGE`, `IO_ERROR`.
 */
export function readRegularFile(path: string, { maxBytes, check }: ReadFileOptions): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a FIFO waits for a writer for ever. Windows has neither.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) {
      throw new SkillsError('IO_ERROR', `${path} is not a regular file.`, {
        hint: 'Move away what stands in its place, or put the file there again.',
        data: { path },
      });
    }
    check?.(stats);
    const bytes = stats.size > maxBytes ? undefined : readAtMost(descriptor, stats.size, maxBytes);
    if (bytes !== undefined) return bytes;
    throw new SkillsError('FILE_TOO_LARGE', `${path} has ${stats.size} bytes; at most ${maxBytes} are read.`, {
      hint: 'Nothing of its kind is as large: put the right file in its place.',
      data: { path, size: stats.size, limit: maxBytes },
    });
  } catch (error) {
    if (SkillsError.is(error)) throw error;
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new SkillsError('IO_ERROR', `${path} cannot be read (${code}).`, {
      hint: code === 'EACCES' || code === 'EPERM' ? 'Make it readable for you, then run it again.' : undefined,
      cause: error,
      data: { path, code },
    });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

// The size is what was, or nothing true at all (/proc): a file that grows is read to its end or to the limit.
function readAtMost(descriptor: number, size: number, maxBytes: number): Buffer | undefined {
  const pieces: Buffer[] = [];
  let total = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(Math.max(size + 1 - total, 64 * 1024));
    const count = readSync(descriptor, piece);
    if (count === 0) return Buffer.concat(pieces, total);
    total += count;
    if (total > maxBytes) return undefined;
    pieces.push(piece.subarray(0, count));
  }
}
