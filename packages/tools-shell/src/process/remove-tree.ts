import { randomUUID } from 'node:crypto';
import { chmod, opendir, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { holdEntry, type HeldEntry } from '../confine/hold-entry.js';

/** Entries that are removed at a time: as many as the threads that Node reads and writes with. */
const batchSize = 8;

/**
 * Removes a folder with all that is in it, while others run, however many and however deep its folders are, and whatever
 * rights were taken from them. A link is removed, not followed, also one that stands in the place of the folder itself;
 * on Linux, one that takes the place of a folder at any moment leads nowhere either.
 *
 * @throws what the system says of what it does not let go, or what changes meanwhile.
 */
export async function removeTree(folder: string): Promise<void> {
  using top = holdEntry(folder);
  if (!top.stats.isDirectory()) {
    await unlink(folder);
    return;
  }
  // More are added on the way.
  const folders = [...(await removeFiles(top))];
  for (const next of folders) {
    const path = join(top.handle, next);
    using held = holdEntry(path);
    if (!held.stats.isDirectory()) {
      await unlink(path);
      continue;
    }
    for (const below of await removeFiles(held)) folders.push(await bringUp(join(held.handle, below), top.handle));
    await rmdir(path);
  }
  await rmdir(folder);
}

/** Removes what is in a folder and is no folder; the names of those that are. */
async function removeFiles({ handle: path }: HeldEntry): Promise<readonly string[]> {
  // Without them nothing in there can be removed.
  await giveRights(path);
  const below: string[] = [];
  let batch: string[] = [];
  for await (const entry of await opendir(path, { bufferSize: 256 })) {
    if (entry.isDirectory()) below.push(entry.name);
    else batch.push(join(path, entry.name));
    if (batch.length < batchSize) continue;
    await unlinkAll(batch);
    batch = [];
  }
  await unlinkAll(batch);
  return below;
}

async function unlinkAll(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => unlink(path)));
}

/** Moves a folder to the top: however deep it lies, no path grows longer than the system takes. */
async function bringUp(path: string, top: string): Promise<string> {
  const near = randomUUID();
  using held = holdEntry(path);
  // Nor can it be moved without them.
  if (held.stats.isDirectory()) await giveRights(held.handle);
  await rename(path, join(top, near));
  return near;
}

async function giveRights(folder: string): Promise<void> {
  try {
    await chmod(folder, 0o700);
  } catch {
    // Where the file system knows none, they are not missed: else what follows says so.
  }
}
