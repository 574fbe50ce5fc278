import { cpSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { errnoOf } from '../disk/io-error.js';
import { makeFolderDurably } from '../disk/make-folder-durably.js';
import { randomId } from '../disk/random-id.js';
import { renameEntry } from '../disk/rename-entry.js';
import { kindOfEntry, statEntry } from '../disk/stat-entry.js';
import { syncFile } from '../disk/sync-file.js';
import { syncFolder } from '../disk/sync-folder.js';
import type { RootPaths } from '../root/root-paths.js';
import type { Journal } from './journal.js';

/**
 * Puts the backup that a change was decided with among the backups: whole, by one rename, so that there is one exactly
 * when the change happens.
 *
 * @returns its folder, also when it is there already.
 * @throws `PATH_TRAVERSAL_BLOCKED`, and what the disk throws.
 */
export function placeBackup({ id, backup }: Journal, paths: RootPaths): readonly string[] {
  if (backup === undefined) return [];
  const staged = join(paths.staging, id, 'backup');
  const place = join(paths.backups, backup);
  if (statEntry(staged)?.isDirectory() !== true) return statEntry(place) === undefined ? [] : [place];
  checkBackups(paths);
  makeFolderDurably(paths.backups);
  return [moveToBackup(staged, place)];
}

/** @throws `PATH_TRAVERSAL_BLOCKED` where something else stands in the place of the backups. */
export function checkBackups({ backups }: RootPaths): void {
  const stats = statEntry(backups);
  if (stats === undefined || stats.isDirectory()) return;
  throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `${backups} is a ${kindOfEntry(stats)}, not a folder.`, {
    hint: 'Backups of what a person changed go there: move it away, then run it again.',
    data: { path: backups },
  });
}

/** Moves something into a backup, durably. @returns where it is then: beside what is there already. */
export function moveToBackup(source: string, target: string): string {
  const free = statEntry(target) === undefined ? target : `${target}-${randomId()}`;
  makeFolderDurably(dirname(free));
  try {
    renameEntry(source, free);
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
    cpSync(source, free, { recursive: true, verbatimSymlinks: true });
    syncAll(free);
  }
  syncFolder(dirname(free));
  return free;
}

function syncAll(path: string): void {
  const stats = statEntry(path);
  if (stats?.isFile() === true) syncFile(path);
  if (stats?.isDirectory() !== true) return;
  for (const name of readdirSync(path)) syncAll(join(path, name));
  syncFolder(path);
}
