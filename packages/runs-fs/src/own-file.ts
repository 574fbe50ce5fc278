import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { asIoError, errnoOf } from './io-error.js';

// Windows has neither.
const withoutLinks = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** How a file of a record is opened. */
export interface OpenFileOptions {
  /** Of `node:fs`. */
  readonly flags: number;
  /** What leads to the folder around it. @default its path */
  readonly handle?: string | undefined;
}

/**
 * Opens a file of a record, if it is one: a link is not followed, and a FIFO not waited for.
 *
 * @returns `undefined` when there is nothing. @throws `PATH_TRAVERSAL_BLOCKED`, `IO_ERROR`.
 */
export function openOwnFile(
  path: string,
  { flags, handle = dirname(path) }: OpenFileOptions,
): { readonly descriptor: number; readonly size: number } | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(join(handle, basename(path)), flags | withoutLinks, 0o600);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP' || code === 'EMLINK' || code === 'EISDIR' || code === 'ENXIO') throw noFile(path);
    throw asIoError(error, path);
  }
  const stats = fstatSync(descriptor);
  if (stats.isFile()) return { descriptor, size: stats.size };
  closeSync(descriptor);
  throw noFile(path);
}

function noFile(path: string): SkillsError {
  return new SkillsError('PATH_TRAVERSAL_BLOCKED', `${path} is a link or no file; no record is read from it.`, {
    hint: 'Remove it.',
    data: { path },
  });
}

/**
 * Reads a file of a record.
 *
 * @param handle what leads to the folder around it. @default its path
 * @returns `undefined` when there is none. @throws `FILE_TOO_LARGE`, `PATH_TRAVERSAL_BLOCKED`, `IO_ERROR`.
 */
export function readOwnFile(path: string, maxBytes: number, handle?: string): Uint8Array | undefined {
  const file = openOwnFile(path, { flags: constants.O_RDONLY, handle });
  if (file === undefined) return undefined;
  try {
    return readDescriptor(file.descriptor, { path, maxBytes, start: 0 });
  } finally {
    closeSync(file.descriptor);
  }
}

/** What of an open file is read. */
export interface ReadPart {
  readonly path: string;
  readonly maxBytes: number;
  /** The first byte. */
  readonly start: number;
}

/** The bytes of an open file from `start` on. @throws `FILE_TOO_LARGE`, `IO_ERROR`. */
export function readDescriptor(descriptor: number, { path, maxBytes, start }: ReadPart): Uint8Array {
  try {
    const size = fstatSync(descriptor).size - start;
    if (size > maxBytes) {
      throw new SkillsError('FILE_TOO_LARGE', `${path} has ${size} bytes; at most ${maxBytes} are read.`, {
        data: { path, size, maxBytes },
      });
    }
    const bytes = new Uint8Array(Math.max(0, size));
    let read = 0;
    while (read < bytes.length) {
      const step = readSync(descriptor, bytes, read, bytes.length - read, start + read);
      if (step === 0) break;
      read += step;
    }
    return bytes.subarray(0, read);
  } catch (error) {
    throw asIoError(error, path);
  }
}
