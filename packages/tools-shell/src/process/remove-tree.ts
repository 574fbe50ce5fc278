import { randomUUID } from 'node:crypto';
import { chmod, opendir, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Entries that are removed at a time: as many as the threads that Node reads and writes with. */
const batchSize = 8;

/**
 * Removes a folder with all that is in it, while others run, however many and however deep its folders are, and whatever
 * rights were taken from them. A link is removed, not followed.
 *
 * @throws what the system says of what it does not let go.
 */
export async function removeTree(folder: string): Promise<void> {
  const folders = [folder];
  // More are added on the way.
  for (const next of folders) {
    // Without its rights nothing in there can be removed, nor can it be moved.
    await chmod(next, 0o700);
    const below: string[] = [];
    let batch: string[] = [];
    for await (const entry of await opendir(next, { bufferSize: 256 })) {
      const path = join(next, entry.name);
      (entry.isDirectory() ? below : batch).push(path);
      if (batch.length < batchSize) continue;
      await unlinkAll(batch);
      batch = [];
    }
    await unlinkAll(batch);
    if (next === folder) for (const path of below) folders.push(path);
    else for (const path of below) folders.push(await bringUp(path, folder));
    if (next !== folder) await rmdir(next);
  }
  await rmdir(folder);
}

async function unlinkAll(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => unlink(path)));
}

/** Moves a folder to the top: however deep it lies, no path grows longer than the system takes. */
async function bringUp(path: string, top: string): Promise<string> {
  const near = join(top, randomUUID());
  await chmod(path, 0o700);
  await rename(path, near);
  return near;
}
