import { unlinkSync } from 'node:fs';
import { errnoOf } from './io-error.js';

/** Removes a file or a link; nothing happens when it is not there. Unlike `rmSync` it says why it cannot. @throws what the disk throws. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}
