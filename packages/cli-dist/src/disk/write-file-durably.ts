import { closeSync, fsyncSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { asIoError } from './io-error.js';
import { renameEntry } from './rename-entry.js';
import { syncFolder } from './sync-folder.js';
import { temporaryPath } from './temporary-files.js';

/**
 * Puts a file in place by a temporary name beside it, fsync and rename: whoever reads sees the old bytes or the new
 * ones, after a loss of power too.
 *
 * @throws `IO_ERROR` that names the file; nothing is left behind.
 */
export function writeFileDurably(path: string, content: string | Uint8Array): void {
  writeFileByRename(path, content, { durable: true });
  try {
    syncFolder(dirname(path));
  } catch (error) {
    throw asIoError(error, path);
  }
}

/** How a file is put in place. */
export interface WriteByRenameOptions {
  /** Whether its bytes are on the disk before its name is. */
  readonly durable: boolean;
}

/** As {@link writeFileDurably}, but the file may be old, missing or empty after a loss of power. */
export function writeFileByRename(path: string, content: string | Uint8Array, { durable }: WriteByRenameOptions): void {
  const temporary = temporaryPath(dirname(path));
  try {
    const descriptor = openSync(temporary, 'wx', 0o644);
    try {
      writeFileSync(descriptor, content);
      if (durable) fsyncSync(descriptor);
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
}
