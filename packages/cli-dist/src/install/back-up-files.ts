import { join } from 'node:path';
import { checkBackups } from '../apply/place-backup.js';
import type { StagingFolder } from '../apply/staging-folder.js';
import { statEntry } from '../disk/stat-entry.js';
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

/**
 * Stages a backup of files that are about to be replaced or removed. It takes its place, `<backups>/<time>/<skill>/…`,
 * when the change happens, and goes with what else is staged when it does not.
 *
 * @returns its name for the journal; `undefined` when there is nothing to keep.
 * @throws `IO_ERROR`, `PATH_TRAVERSAL_BLOCKED`.
 */
export function backUpFiles(
  { paths, files, now, staying = false }: BackupRequest,
  staging: StagingFolder,
): string | undefined {
  if (files.length === 0) return undefined;
  checkBackups(paths);
  for (const file of files) {
    staging.takeOver(`backup/${file}`, join(paths.skillsDir, file), staying ? 'copy' : 'link');
  }
  return freeName(paths.backups, now);
}

function freeName(backups: string, now: Date): string {
  // No colons: Windows has none in names.
  const stamp = now
    .toISOString()
    .replace(/\.\d+Z$/u, 'Z')
    .replaceAll(':', '-');
  for (let attempt = 1; ; attempt += 1) {
    const name = attempt === 1 ? stamp : `${stamp}-${attempt}`;
    if (statEntry(join(backups, name)) === undefined) return name;
  }
}
