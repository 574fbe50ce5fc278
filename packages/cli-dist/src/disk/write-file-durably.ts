import { closeSync, fsyncSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { asIoError } from './io-error.js';
import { randomId } from './random-id.js';
import { renameEntry } from './rename-entry.js';
import { syncFolder } from './sync-folder.js';

/** The beginning of the name of every temporary file of ours, so that leftovers can be told from a person's files. */
export const temporaryPrefix = '.skillpack-tmp-';

/**
 * Puts a file in place by a temporary name beside it, fsync and rename: whoever reads sees the old bytes or the new
 * ones, after a crash too.
 *
 * @throws `IO_ERROR` that names the file; nothing is left behind.
 */
export function writeFileDurably(path: string, content: string | Uint8Array): void {
  const temporary = join(dirname(path), `${temporaryPrefix}${basename(path)}-${randomId()}`);
  try {
    const descriptor = openSync(temporary, 'wx', 0o644);
    try {
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameEntry(temporary, path);
  } catch (error) {
    try {
      unlinkSync(temporary);
    } catch {
      // It was never made, or cannot be removed either: the first error is the one to tell.
    }
    throw asIoError(error, path);
  }
  syncFolder(dirname(path));
}
