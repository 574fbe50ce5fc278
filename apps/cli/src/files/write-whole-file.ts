import { randomUUID } from 'node:crypto';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { errnoOf } from './errno-of.js';

/** How a file is written. */
export interface WriteWholeFileOptions {
  /** Who may do what with it. @default what the process gives new files */
  readonly mode?: number | undefined;
}

/**
 * Writes a file so that whoever looks sees the old one or the new one, never a part, after a loss of power too. What is a
 * device or a pipe, such as `/dev/null`, is written to and not replaced.
 *
 * @throws `IO_ERROR`.
 */
export async function writeWholeFile(
  path: string,
  bytes: Uint8Array,
  options: WriteWholeFileOptions = {},
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    if (await isStream(path)) return await writeInto(path, bytes);
    await writeToDisk(temporary, bytes, options);
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (cause) {
    await rm(temporary, { force: true });
    const code = errnoOf(cause);
    throw new SkillsError('IO_ERROR', `${path} cannot be written (${code}).`, { cause });
  }
}

async function isStream(path: string): Promise<boolean> {
  try {
    const stats = await lstat(path);
    return stats.isCharacterDevice() || stats.isFIFO();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function writeInto(path: string, bytes: Uint8Array): Promise<void> {
  await using stream = await open(path, 'a');
  await stream.writeFile(bytes);
}

async function writeToDisk(path: string, bytes: Uint8Array, { mode }: WriteWholeFileOptions): Promise<void> {
  await using file = await open(path, 'wx', mode);
  await file.writeFile(bytes);
  await file.sync();
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder to flush it; NTFS journals the move itself.
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}
