import { dirname } from 'node:path';
import { makeFolder } from './make-folder.js';
import { syncFolder } from './sync-folder.js';

/** Makes a folder and those above it, where they are not there; they survive a loss of power. @throws what the disk throws. */
export function makeFolderDurably(path: string): void {
  const first = makeFolder(path);
  if (first === undefined) return;
  for (let made = path; ; made = dirname(made)) {
    syncFolder(dirname(made));
    if (made === first) return;
  }
}
