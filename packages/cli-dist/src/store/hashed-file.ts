import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { asIoError } from '../disk/io-error.js';
import { openRegular, type OpenFile } from './open-regular.js';

const chunkBytes = 1024 * 1024;

/** A file that is open, and stays so, read whole; each piece is hashed while it is in the processor's cache. @throws `IO_ERROR`. */
export function readOpen(
  { descriptor, size }: OpenFile,
  path: string,
): { readonly bytes: Uint8Array; readonly hex: string } {
  const hash = createHash('sha256');
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  try {
    while (length < size) {
      const read = readSync(descriptor, bytes, length, Math.min(chunkBytes, size - length), null);
      if (read === 0) break;
      hash.update(bytes.subarray(length, length + read));
      length += read;
    }
  } catch (error) {
    throw asIoError(error, path);
  }
  return { bytes: bytes.subarray(0, length), hex: hash.digest('hex') };
}

/** What a file has, in bytes and by its SHA-256, read through a little memory. @throws `IO_ERROR`. */
export function hashFile(path: string): { readonly size: number; readonly hex: string } | undefined {
  const opened = openRegular(path);
  if (opened === undefined) return undefined;
  try {
    return hashOpen(opened, path);
  } finally {
    closeSync(opened.descriptor);
  }
}

/** As {@link hashFile}, of a file that is open, and stays so. @throws `IO_ERROR`. */
export function hashOpen(
  { descriptor, size: stated }: OpenFile,
  path: string,
): { readonly size: number; readonly hex: string } {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, stated)));
  let size = 0;
  try {
    // One that grows meanwhile is not followed for ever: one byte more is enough to be another one.
    for (let read = 1; read > 0 && size <= stated; size += read) {
      read = readSync(descriptor, chunk, 0, chunk.length, size);
      hash.update(chunk.subarray(0, read));
    }
  } catch (error) {
    throw asIoError(error, path);
  }
  return { size, hex: hash.digest('hex') };
}
