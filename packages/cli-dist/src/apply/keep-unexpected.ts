import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { errnoOf } from '../disk/io-error.js';
import { randomId } from '../disk/random-id.js';
import { renameEntry } from '../disk/rename-entry.js';
import { inodeOf, statEntry } from '../disk/stat-entry.js';
import { syncFolder } from '../disk/sync-folder.js';
import type { RootPaths } from '../root/root-paths.js';
import type { Journal } from './journal.js';
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
  const backup = freshBackup(paths);
  for (const { place, to } of unexpected) keep(place, join(backup, to));
  syncFolder(backup);
  return [backup];
}

function freshBackup({ backups }: RootPaths): string {
  mkdirSync(dirname(backups), { recursive: true });
  const stats = statEntry(backups);
  if (stats === undefined) mkdirSync(backups);
  else if (!stats.isDirectory()) {
    throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `${backups} is not a folder.`, {
      hint: 'Files that somebody changed go there: move it away, then run it again.',
      data: { path: backups },
    });
  }
  const path = join(backups, `changed-${randomId()}`);
  mkdirSync(path);
  return path;
}

function keep(place: string, target: string): void {
  const free = statEntry(target) === undefined ? target : `${target}-${randomId()}`;
  mkdirSync(dirname(free), { recursive: true });
  try {
    renameEntry(place, free);
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
    cpSync(place, free, { recursive: true, verbatimSymlinks: true });
  }
}
