import type { Stats } from 'node:fs';
import { lstat, opendir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { comparePaths } from '@skillpack/core';

/** An agent may fill a disk: what lies beyond is not listed. */
const mostEntries = 20_000;
const mostLevels = 64;

/** Regular files below a folder, whose path is a real one, by path. Links are neither followed nor listed; what goes meanwhile is left out. */
export async function listFolder(root: string): Promise<readonly { readonly path: string; readonly size: number }[]> {
  const found: { readonly path: string; readonly size: number }[] = [];
  const folders: (readonly string[])[] = [[]];
  let seen = 0;
  for (let at = 0; at < folders.length && seen < mostEntries; at += 1) {
    const parts = folders[at] ?? [];
    for (const name of await namesOf(join(root, ...parts))) {
      seen += 1;
      if (seen > mostEntries) break;
      const stats = await statsOf(join(root, ...parts, name));
      if (stats?.isDirectory() === true && parts.length < mostLevels) folders.push([...parts, name]);
      if (stats?.isFile() === true) found.push({ path: [...parts, name].join('/'), size: stats.size });
    }
  }
  return found.toSorted((left, right) => comparePaths(left.path, right.path));
}

/** In a fixed order, so that the same files are listed where there are too many. */
async function namesOf(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    // Somebody may have put a link in its place, also in that of the workspace.
    if ((await realpath(folder)) !== folder) return [];
    for await (const { name } of await opendir(folder)) {
      names.push(name);
      if (names.length > mostEntries) break;
    }
  } catch {
    // It is gone, or was closed to everybody: then there is nothing in it that could be read.
  }
  return names.toSorted();
}

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch {
    return undefined;
  }
}
