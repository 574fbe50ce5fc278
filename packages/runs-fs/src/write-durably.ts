import { randomBytes } from 'node:crypto';
import { closeSync, constants, fsyncSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { asIoError, errnoOf } from './io-error.js';

/**
 * Puts a file in place by a temporary name beside it and a rename: whoever reads sees the old bytes or the new ones.
 * Nobody else may read it.
 *
 * @param handle what leads to the folder around it. @default its path
 * @throws `IO_ERROR`; nothing is left behind.
 */
export function writeDurably(path: string, content: Uint8Array, handle: string = dirname(path)): void {
  const temporary = join(handle, `.tmp-${randomBytes(8).toString('hex')}`);
  try {
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    const descriptor = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | (constants.O_NOFOLLOW ?? 0), 0o600);
    try {
      writeAll(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, join(handle, basename(path)));
  } catch (error) {
    try {
      unlinkSync(temporary);
    } catch {
      // It was never made, or cannot be removed either: the first error is the one to tell.
    }
    throw asIoError(error, path);
  }
}

/** A write may take less than all of it. @throws what the disk throws. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += writeSync(descriptor, bytes, written, bytes.length - written);
  }
}

/**
 * Makes the entries of a folder durable. Windows has nothing like it, and some file systems refuse it: then nothing happens.
 *
 * @param sync how. @default by its name
 */
export function syncFolder(path: string, sync: () => void = () => syncByName(path)): void {
  if (process.platform === 'win32') return;
  try {
    sync();
  } catch (error) {
    if (errnoOf(error) !== 'EINVAL' && errnoOf(error) !== 'ENOTSUP') throw asIoError(error, path);
  }
}

function syncByName(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
