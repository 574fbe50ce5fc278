import { lstatSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import { errnoOf } from '../errno.js';
import { removeTree } from './remove-tree.js';
import { within } from './within.js';

/** How the names of all of them begin; the id of the process follows that made one. */
export const runFolderPrefix = 'skillpack-run-';

/** A new folder that nobody else may enter, for what one run leaves behind. @throws `IO_ERROR`. */
export function makeRunFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), `${runFolderPrefix}${process.pid}-`));
  } catch (error) {
    throw new SkillsError('IO_ERROR', `No folder can be made in ${quoted(tmpdir())} (${errnoOf(error)}).`, {
      hint: 'Scripts need a temporary folder of their own: make room there, or set TMPDIR.',
      cause: error,
    });
  }
}

/** Milliseconds that a run waits for it. */
const longestRemoval = 5_000;
/** How often it is begun anew: what still runs may add something. */
const attempts = 5;

/**
 * Removes it with all that is in it; what cannot be removed stays, since the run itself has its result. Where there is
 * very much in it, that goes on after this has ended.
 */
export async function removeRunFolder(folder: string): Promise<void> {
  await within(remove(folder), longestRemoval);
}

async function remove(folder: string): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      await removeTree(folder);
      return;
    } catch (error) {
      // Else something was added meanwhile, or is of another kind than it said.
      if (errnoOf(error) === 'ENOENT' && !isThere(folder)) return;
    }
  }
  // On Linux it would follow a link that takes the place of a folder meanwhile.
  if (process.platform === 'linux') return;
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A file system that does not let go of it.
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
