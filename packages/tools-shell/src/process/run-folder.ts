import { mkdtempSync } from 'node:fs';
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

/**
 * Removes it with all that is in it; what cannot be removed stays, since the run itself has its result. Where there is
 * very much in it, that goes on after this has ended.
 */
export async function removeRunFolder(folder: string): Promise<void> {
  await within(remove(folder), longestRemoval);
}

async function remove(folder: string): Promise<void> {
  try {
    await removeTree(folder);
  } catch {
    try {
      // Something was added meanwhile, or is of another kind than it said.
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // A file system that does not let go of it.
    }
  }
}
