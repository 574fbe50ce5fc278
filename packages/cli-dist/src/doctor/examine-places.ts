import { readdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isPackNamePart, SkillsError } from '@skillpack/core';
import { randomId } from '../disk/random-id.js';
import { kindOfEntry, statEntry } from '../disk/stat-entry.js';
import type { InstallRoot } from '../root/install-root.js';
import { rootPaths, type RootPaths } from '../root/root-paths.js';
import { putAside } from './put-aside.js';
import type { Symptom } from './symptom.js';

/** A root's paths, or what keeps it from having any. */
export type LocatedRoot =
  | { readonly kind: 'found'; readonly paths: RootPaths }
  | { readonly kind: 'blocked'; readonly symptom: Symptom };

/** Finds the paths of a root: none are known while something else stands where a folder belongs. */
export function locateRoot(root: InstallRoot): LocatedRoot {
  try {
    const paths = rootPaths(root);
    const stats = statEntry(paths.skillsDir);
    if (stats === undefined || stats.isDirectory()) return { kind: 'found', paths };
    const message = `${paths.skillsDir} is a ${kindOfEntry(stats)}, not a folder of skills.`;
    const advice = 'Move it away, then run `skills install`.';
    return { kind: 'blocked', symptom: { kind: 'blocked-path', subject: paths.skillsDir, message, advice } };
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return { kind: 'blocked', symptom: blockedPath(error, root) };
  }
}

function blockedPath({ message, hint, data }: SkillsError, root: InstallRoot): Symptom {
  const subject = typeof data['path'] === 'string' ? data['path'] : root.skillsDir;
  const symptom = {
    kind: 'blocked-path',
    subject,
    message,
    advice: hint ?? 'Move it away, then run it again.',
  } as const;
  if (basename(subject) !== '.skillpack') return symptom;
  return {
    ...symptom,
    remedy: {
      does: 'moves it out of the way, beside its place',
      // The backups may lie in it, so it cannot be put there.
      apply: () => {
        const aside = `${subject}-put-aside-${randomId()}`;
        renameSync(subject, aside);
        return `It was moved to ${aside}.`;
      },
    },
  };
}

/** Looks whether the root's lock can be taken at all. */
export function examineMutex(paths: RootPaths): readonly Symptom[] {
  const stats = statEntry(paths.mutex);
  if (stats === undefined || stats.isFile()) return [];
  return [misplaced(paths.mutex, `the lock of ${paths.skillsDir}`, paths)];
}

/** Looks for what stands where folders of ours belong. */
export function examinePlaces(paths: RootPaths): readonly Symptom[] {
  return [...examineBackupsPlace(paths), ...examineRecordPlaces(paths)];
}

function examineBackupsPlace({ backups }: RootPaths): readonly Symptom[] {
  const stats = statEntry(backups);
  if (stats === undefined || stats.isDirectory()) return [];
  const message = `${backups} is a ${kindOfEntry(stats)}, not the folder that edited files are kept in.`;
  return [{ kind: 'blocked-path', subject: backups, message, advice: 'Move it away.' }];
}

function examineRecordPlaces(paths: RootPaths): readonly Symptom[] {
  const misplacedIn = (folder: string, what: string): readonly Symptom[] =>
    entriesOf(folder)
      .filter((entry) => isPackNamePart(entry.name) && !entry.isDirectory())
      .map(({ name }) => misplaced(join(folder, name), what, paths));
  const organisations = entriesOf(paths.controlDir).filter(
    (entry) => isPackNamePart(entry.name) && entry.isDirectory(),
  );
  return [
    ...misplacedIn(paths.controlDir, 'a folder of records'),
    ...organisations.flatMap(({ name }) => misplacedIn(join(paths.controlDir, name), 'the record of a pack')),
  ];
}

function entriesOf(folder: string) {
  return statEntry(folder)?.isDirectory() === true ? readdirSync(folder, { withFileTypes: true }) : [];
}

function misplaced(path: string, what: string, paths: RootPaths): Symptom {
  const stats = statEntry(path);
  const kind = stats === undefined ? 'thing' : kindOfEntry(stats);
  return {
    kind: 'blocked-path',
    subject: path,
    message: `${path} is a ${kind}, where ${what} belongs.`,
    advice: 'Move it away.',
    remedy: {
      does: 'puts it aside, among the backups',
      apply: () => `It was put aside in ${putAside([path], paths)}.`,
    },
  };
}
