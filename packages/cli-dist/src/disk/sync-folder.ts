import { closeSync, fsyncSync, openSync } from 'node:fs';
import { errnoOf } from './io-error.js';
import type { RawName } from './raw-names.js';

/** Makes the entries of a folder durable. Windows has nothing like it, and some file systems refuse it: then nothing happens. */
export function syncFolder(path: RawName): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (errnoOf(error) !== 'EINVAL' && errnoOf(error) !== 'ENOTSUP') throw error;
  } finally {
    closeSync(descriptor);
  }
}
