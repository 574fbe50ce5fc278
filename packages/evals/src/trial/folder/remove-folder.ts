import { randomUUID } from 'node:crypto';
import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SkillsError } from '@skillpack/core';

/**
 * Removes a folder with all that is in it, also where rights were taken from what is in it, or where it is deeper than a
 * path can say. Links are removed, not followed.
 *
 * @throws `IO_ERROR` where something stays.
 */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, removing);
  } catch {
    await levelOut(folder);
    try {
      await rm(folder, removing);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new SkillsError('IO_ERROR', `The workspace ${folder} cannot be removed: ${why}.`, { cause });
    }
  }
}

const removing = { recursive: true, force: true, maxRetries: 3, retryDelay: 50 } as const;

/** UTF-16 code units of a path: what lies deeper is brought up. Systems take 1,024 bytes and more. */
const longestPath = 600;

/**
 * Gives rights to each folder, so that what is in it can be removed, and brings up those that no path can name. Not by
 * recursion: agents make folders as deep as they like.
 */
async function levelOut(top: string): Promise<void> {
  const folders = [top];
  for (const folder of folders) {
    for (const name of await foldersIn(folder)) folders.push(await bringUp(join(folder, name), top));
  }
}

/** Names of the folders in a folder, once it has rights. What cannot be helped is told by what removes it. */
async function foldersIn(folder: string): Promise<readonly string[]> {
  try {
    if (!(await lstat(folder)).isDirectory()) return [];
    await chmod(folder, 0o700);
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}

async function bringUp(folder: string, top: string): Promise<string> {
  if (folder.length - top.length < longestPath) return folder;
  const place = join(top, `removed-${randomUUID()}`);
  try {
    // What has no rights cannot be moved.
    await chmod(folder, 0o700);
    await rename(folder, place);
    return place;
  } catch {
    return folder;
  }
}
