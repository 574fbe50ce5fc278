import { constants, existsSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { errnoOf } from '../errno.js';

/** A folder that stays the same one, whatever becomes of its path. */
export interface HeldFolder extends AsyncDisposable {
  /** By which it is reached as long as it is held. */
  readonly path: string;
}

/** Linux: where what is open is found, by the number of its descriptor. */
const descriptors = '/proc/self/fd';
// Node has no name for it. It opens a folder whatever rights were taken from it, and reads nothing of it.
const O_PATH = 0o10000000;

/**
 * Holds the folder at a path. Only Linux holds it: elsewhere its path is looked at, and whoever exchanges it in the next
 * moment is not noticed.
 *
 * @returns `undefined` for what is no folder, such as a link to one.
 * @throws what the system says: `ENOENT` where nothing is there.
 */
export async function holdFolder(path: string): Promise<HeldFolder | undefined> {
  if (process.platform !== 'linux' || !existsSync(descriptors)) {
    const stats = await lstat(path);
    return stats.isDirectory() ? { path, [Symbol.asyncDispose]: async () => undefined } : undefined;
  }
  try {
    const handle = await open(path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    return { path: `${descriptors}/${handle.fd}`, [Symbol.asyncDispose]: async () => handle.close() };
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR' || errnoOf(error) === 'ELOOP') return undefined;
    throw error;
  }
}
