import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SkillsError } from '@skillpack/core';

/**
 * Removes a folder with all that is in it, also where rights were taken from what is in it. Links are removed, not followed.
 *
 * @throws `IO_ERROR` where something stays.
 */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, removing);
  } catch {
    await giveRights(folder);
    try {
      await rm(folder, removing);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new SkillsError('IO_ERROR', `The workspace ${folder} cannot be removed: ${why}.`, { cause });
    }
  }
}

const removing = { recursive: true, force: true, maxRetries: 3, retryDelay: 50 } as const;

/** Of each folder, so that what is in it can be removed. Not by recursion: agents make folders as deep as they like. */
async function giveRights(top: string): Promise<void> {
  const folders = [top];
  for (const folder of folders) {
    try {
      if (!(await lstat(folder)).isDirectory()) continue;
      await chmod(folder, 0o700);
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        if (entry.isDirectory()) folders.push(join(folder, entry.name));
      }
    } catch {
      // What cannot be helped is told by what removes it.
    }
  }
}
