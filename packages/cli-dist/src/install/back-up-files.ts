import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { asIoError } from '../disk/io-error.js';
import { statEntry } from '../disk/stat-entry.js';
import { syncFile } from '../disk/sync-file.js';
import { syncFolder } from '../disk/sync-folder.js';
import { takeOver } from '../disk/take-over.js';
import type { RootPaths } from '../root/root-paths.js';

/** What is backed up, and when. */
export interface BackupRequest {
  readonly paths: RootPaths;
  /** Relative to the root, slash-separated. */
  readonly files: readonly string[];
  readonly now: Date;
  /** Whether some of the files stay in use where they are, so that the backup must not change with them. @default false */
  readonly staying?: boolean | undefined;
}

/** A backup that was made. */
export interface Backup {
  readonly path: string;
  /** Takes it back: what it was made for did not happen. */
  discard(): void;
}

/**
 * Keeps files that are about to be replaced or removed, in a folder named after the time: `<backups>/<time>/<skill>/…`.
 * They are on the disk when this returns.
 *
 * @returns `undefined` when there is nothing to keep.
 * @throws `IO_ERROR`, `PATH_TRAVERSAL_BLOCKED`: nothing is left behind.
 */
export function backUpFiles({ paths, files, now, staying = false }: BackupRequest): Backup | undefined {
  if (files.length === 0) return undefined;
  const stats = statEntry(paths.backups);
  if (stats !== undefined && !stats.isDirectory()) {
    throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `${paths.backups} is not a folder.`, {
      hint: 'Backups go there: move it away, then run it again.',
      data: { path: paths.backups },
    });
  }
  const path = freshFolder(paths.backups, now);
  const discard = (): void => rmSync(path, { recursive: true, force: true });
  try {
    const made = files.flatMap((file) => {
      const target = join(path, file);
      mkdirSync(dirname(target), { recursive: true });
      return takeOver(join(paths.skillsDir, file), target, staying ? 'copy' : 'link');
    });
    for (const file of made) syncFile(file);
    for (const folder of foldersOf(made, dirname(paths.backups))) syncFolder(folder);
    return { path, discard };
  } catch (error) {
    discard();
    throw asIoError(error, path);
  }
}

/** The folders of files up to `top`, inner ones first. */
function foldersOf(files: readonly string[], top: string): readonly string[] {
  const folders = new Set([top]);
  for (const file of files) {
    for (let folder = dirname(file); folder !== top; folder = dirname(folder)) folders.add(folder);
  }
  return [...folders].toSorted((left, right) => right.length - left.length);
}

function freshFolder(backups: string, now: Date): string {
  // No colons: Windows has none in names.
  const stamp = now
    .toISOString()
    .replace(/\.\d+Z$/u, 'Z')
    .replaceAll(':', '-');
  for (let attempt = 1; ; attempt += 1) {
    const path = join(backups, attempt === 1 ? stamp : `${stamp}-${attempt}`);
    try {
      mkdirSync(backups, { recursive: true });
      mkdirSync(path);
      return path;
    } catch (error) {
      if (statEntry(path) === undefined) throw asIoError(error, path);
    }
  }
}
