import { lstat, opendir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errnoOf } from '../errno.js';
import { removeRunFolder, runFolderPrefix } from './run-folder.js';

/** Milliseconds without a change. Where processes have other ids, as in a container, whose folder it is cannot be seen. */
const leastAge = 24 * 60 * 60 * 1000;

const runFolderName = new RegExp(String.raw`^${runFolderPrefix}(\d{1,10})-[^/]+$`, 'u');

/**
 * Removes the folders of runs whose process was killed: those that belong to whoever runs this, have not changed for a
 * day, and name a process that is gone. All others stay, and so does what cannot be removed.
 *
 * @param folder where they lie. @default the temporary folder of the system
 */
export async function removeStaleRunFolders(folder: string = tmpdir()): Promise<void> {
  try {
    for await (const { name } of await opendir(folder)) {
      const pid = runFolderName.exec(name)?.[1];
      if (pid !== undefined && isGone(Number(pid)) && (await isLeft(join(folder, name)))) {
        await removeRunFolder(join(folder, name));
      }
    }
  } catch {
    // It cannot be listed, or was changed meanwhile: the next process looks again.
  }
}

async function isLeft(path: string): Promise<boolean> {
  const entry = await lstat(path);
  const own = process.getuid === undefined || process.getuid() === entry.uid;
  return own && entry.isDirectory() && Date.now() - entry.mtimeMs > leastAge;
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // Any other answer is of one that is there.
    return errnoOf(error) === 'ESRCH';
  }
}
