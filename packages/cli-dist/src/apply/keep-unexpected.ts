import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomId } from '../disk/random-id.js';
import { inodeOf } from '../disk/stat-entry.js';
import type { RootPaths } from '../root/root-paths.js';
import type { Journal } from './journal.js';
import { checkBackups, moveToBackup } from './place-backup.js';
import { isAsTraced } from './standing.js';

/**
 * Moves what a journal swapped out to a backup, as far as it is not what the journal was decided on: then it is, or
 * holds, somebody's work.
 *
 * @returns the folder of the backup, if one was made.
 * @throws `PATH_TRAVERSAL_BLOCKED`, and what the disk throws.
 */
export function keepUnexpected(journal: Journal, paths: RootPaths): readonly string[] {
  const folder = join(paths.staging, journal.id);
  const trash = join(folder, 'trash');
  const removed = readdirSync(trash);
  const unexpected = journal.moves.flatMap((move, index) => {
    const places = removed.filter((name) => name.startsWith(`${index}-`)).map((name) => join(trash, name));
    // Where two folders were exchanged, the old one is in the place of the new one.
    const exchanged = move.kind === 'put' ? join(folder, move.from) : undefined;
    if (exchanged !== undefined && inodeOf(exchanged) !== undefined) places.push(exchanged);
    return places.filter((place) => !isAsTraced(place, move.replaces)).map((place) => ({ place, to: move.to }));
  });
  if (unexpected.length === 0) return [];
  checkBackups(paths);
  const backup = join(paths.backups, `changed-${randomId()}`);
  for (const { place, to } of unexpected) moveToBackup(place, join(backup, to));
  return [backup];
}
