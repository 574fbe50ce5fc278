import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { statEntry } from '../disk/stat-entry.js';
import type { RootPaths } from '../root/root-paths.js';
import type { Symptom } from './symptom.js';

const backupName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:-\d+)?$/u;

/**
 * Looks for backups of changes that never happened: each file in one is, under a second name, the very file that is
 * still in its place.
 */
export function examineBackups({ backups, skillsDir }: RootPaths): readonly Symptom[] {
  if (statEntry(backups)?.isDirectory() !== true) return [];
  const folders = readdirSync(backups, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && backupName.test(entry.name))
    .map(({ name }) => join(backups, name));
  return folders
    .filter((folder) => isStillInPlace(folder, skillsDir))
    .map((folder) => ({
      kind: 'orphan-backup',
      subject: folder,
      message: 'A backup was made for a change that did not happen: everything in it is still in its place.',
      advice: 'Remove it.',
      remedy: {
        does: 'removes it',
        apply: () => {
          if (!isStillInPlace(folder, skillsDir)) return 'It was left: it is not as it was found.';
          rmSync(folder, { recursive: true, force: true });
          return 'It was removed.';
        },
      },
    }));
}

/** Whether a folder holds something, and nothing but second names of what is in its place. */
function isStillInPlace(backup: string, place: string): boolean {
  // A person may have put a link to the backup in the place: then it is the only one.
  if (statEntry(place)?.isDirectory() !== true) return false;
  const entries = readdirSync(backup, { withFileTypes: true });
  return (
    entries.length > 0 &&
    entries.every((entry) => {
      const [copy, original] = [join(backup, entry.name), join(place, entry.name)];
      return entry.isDirectory() ? isStillInPlace(copy, original) : isSecondName(copy, original);
    })
  );
}

function isSecondName(left: string, right: string): boolean {
  if (statEntry(right) === undefined) return false;
  const [one, other] = [left, right].map((path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  // Two paths can lead to one name, as over a mounted folder.
  return one !== undefined && one.nlink > 1n && one.ino === other?.ino && one.dev === other.dev;
}
