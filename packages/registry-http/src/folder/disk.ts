import { link, open, rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from './errno-of.js';

/** What brings a written file into place. A test watches these steps, or does between them what another process may. */
export interface Disk {
  /** Brings a file, or the names in a folder, to the disk, so that a loss of power does not lose them. */
  flush(path: string): Promise<void>;
  /** Gives a file a second name. @throws `EEXIST` when there is a file of that name. */
  link(from: string, to: string): Promise<void>;
  /** Moves a file over another. */
  move(from: string, to: string): Promise<void>;
}

/** The disk of this machine. */
export const systemDisk: Disk = { flush, link, move };

async function flush(path: string): Promise<void> {
  // Windows flushes only what is open for writing.
  const handle = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const attempts = 12;

/** On Windows a reader or a virus scanner may hold the file that is moved over for a moment. */
async function move(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const held = ['EPERM', 'EBUSY', 'EACCES'].includes(errnoOf(error));
      if (process.platform !== 'win32' || !held || attempt === attempts) throw error;
      await sleep(40 * attempt);
    }
  }
}
