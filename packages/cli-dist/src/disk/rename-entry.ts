import { renameSync } from 'node:fs';
import { errnoOf } from './io-error.js';

const attempts = 12;

/**
 * Renames a file or a folder. On Windows a virus scanner or an editor may hold what is inside for a moment: there it is
 * tried again for about three seconds.
 */
export function renameEntry(from: string, to: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const code = errnoOf(error);
      const held = code === 'EPERM' || code === 'EBUSY' || code === 'EACCES';
      if (process.platform !== 'win32' || !held || attempt === attempts) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40 * attempt);
    }
  }
}
