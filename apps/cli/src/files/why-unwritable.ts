import { accessSync, constants, lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from './errno-of.js';

/**
 * Why nothing can be made in a folder, or no folder be made there, as the code of the operating system; `null` where it
 * may. Nothing is tried: that the disk is full is not found out.
 */
export function whyUnwritable(folder: string): string | null {
  try {
    const parent = dirname(folder);
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats === undefined && parent !== folder) return whyUnwritable(parent);
    // A slash behind it: a file, or a link to one, is no folder.
    accessSync(`${folder}/`, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return errnoOf(error);
  }
}
