import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lockFileName, projectFileName } from '@skillpack/core';

const ownMarkers = [projectFileName, lockFileName, '.agents'];
const lastMarker = '.git';

/** What bounds the search for a project. */
export interface FindProjectOptions {
  /** The person's home folder: neither it nor a folder above it is a project of theirs unless they work in it. */
  readonly home: string;
}

/**
 * The folder of the project that `cwd` lies in: the nearest one, `cwd` first, that holds `skillpack.json`,
 * `skillpack-lock.json` or `.agents`; else the nearest that holds `.git`; else `cwd`.
 *
 * A folder above `cwd` counts only when its owner owns `cwd` too: on a shared machine nobody can put a project around
 * the work of others (`/tmp/skillpack.json`).
 */
export function findProject(cwd: string, { home }: FindProjectOptions): string {
  const owner = ownerOf(cwd);
  let repository: string | undefined;
  for (const folder of ancestors(cwd)) {
    if (folder !== cwd && folder === home) break;
    const marks = (name: string) => {
      const found = ownerOf(join(folder, name));
      return found !== undefined && (folder === cwd || found === owner);
    };
    if (ownMarkers.some(marks)) return folder;
    if (repository === undefined && marks(lastMarker)) repository = folder;
  }
  return repository ?? cwd;
}

function* ancestors(folder: string): Generator<string> {
  let present = folder;
  for (;;) {
    yield present;
    const parent = dirname(present);
    if (parent === present) return;
    present = parent;
  }
}

// On Windows every file has the owner 0.
function ownerOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.uid;
}
