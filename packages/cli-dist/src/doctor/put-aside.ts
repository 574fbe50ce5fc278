import { basename, dirname, join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { asIoError } from '../disk/io-error.js';
import { makeFolderDurably } from '../disk/make-folder-durably.js';
import { randomId } from '../disk/random-id.js';
import { renameEntry } from '../disk/rename-entry.js';
import { statEntry } from '../disk/stat-entry.js';
import { syncFolder } from '../disk/sync-folder.js';
import type { RootPaths } from '../root/root-paths.js';

/**
 * Moves something that cannot be used, and may be somebody's, into a folder of its own among the backups:
 * `<backups>/put-aside-<id>/<name>`. Links are moved, not what they lead to.
 *
 * @returns the folder.
 * @throws `PATH_TRAVERSAL_BLOCKED` when no backups can be kept, `IO_ERROR`.
 */
export function putAside(entries: readonly string[], { backups }: RootPaths): string {
  const stats = statEntry(backups);
  if (stats !== undefined && !stats.isDirectory()) {
    throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `${backups} is not a folder, so nothing can be kept in it.`, {
      hint: 'Move it away, then run it again.',
      data: { path: backups },
    });
  }
  const folder = join(backups, `put-aside-${randomId()}`);
  try {
    makeFolderDurably(folder);
    for (const entry of entries) {
      renameEntry(entry, join(folder, basename(entry)));
      syncFolder(dirname(entry));
    }
    syncFolder(folder);
  } catch (error) {
    throw asIoError(error);
  }
  return folder;
}
