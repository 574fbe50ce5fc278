import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import { errnoOf } from '../errno.js';

/** A new folder that nobody else may enter, for what one run leaves behind. @throws `IO_ERROR`. */
export function makeRunFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'skillpack-run-'));
  } catch (error) {
    throw new SkillsError('IO_ERROR', `No folder can be made in ${quoted(tmpdir())} (${errnoOf(error)}).`, {
      hint: 'Scripts need a temporary folder of their own: make room there, or set TMPDIR.',
      cause: error,
    });
  }
}

/** Removes it with all that is in it; what cannot be removed stays, since the run itself has its result. */
export function removeRunFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    try {
      openUp(folder, 0);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // A file system that does not let go of it.
    }
  }
}

const maxDepth = 64;

/** Gives the rights back that a script took from its folders: without them nothing in there can be removed. */
function openUp(folder: string, depth: number): void {
  chmodSync(folder, 0o700);
  if (depth >= maxDepth) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    // A link is no directory here, so nothing outside is changed.
    if (entry.isDirectory()) openUp(join(folder, entry.name), depth + 1);
  }
}
