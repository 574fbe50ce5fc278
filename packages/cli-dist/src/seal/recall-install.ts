import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import type { InstallReport } from '../install/install-report.js';
import { readOwnFile } from './read-own-file.js';
import {
  decodeSeal,
  isTraced,
  mostSealBytes,
  sealedPlaces,
  sealPath,
  type InstallSeal,
  type InstallSeals,
  type SealSubject,
} from './seal-file.js';

/**
 * What `installPacks` would report of a root in which an earlier call with the same options, and no packs named, found
 * nothing to do, told from that alone: nothing that it looked at has changed since. No file is read but the seal, and no
 * registry asked. What is promised of an install holds: an edited, missing or added file, another lock file, another
 * target is a change. One edit is none: by a program that writes through a shared mapping of a file that it had already
 * written to when the seal was made, until the system writes that page to the disk.
 *
 * @returns `undefined` when there is anything to look at: then only an install can tell.
 */
export function recallInstall(
  subject: SealSubject,
  seals: InstallSeals,
  { dryRun = false }: { readonly dryRun?: boolean | undefined } = {},
): InstallReport | undefined {
  try {
    if (!isOwn(seals.folder)) return undefined;
    const bytes = readOwnFile(sealPath(subject, seals), mostSealBytes);
    const seal = bytes === undefined ? undefined : decodeSeal(bytes, subject, seals);
    if (seal === undefined || !isUnbroken(seal, subject)) return undefined;
    return {
      root: seal.real[0] ?? subject.root.skillsDir,
      dryRun,
      changes: seal.packs.map((pack) => ({ kind: 'keep', ...pack })),
      warnings: [],
      backups: [],
      links: { made: [], removed: [] },
      downloaded: { archives: 0, bytes: 0 },
      saved: { projectFile: false, lockFile: false },
    };
  } catch {
    // No seal, or one that cannot be read; or something on the way is no folder any more.
    return undefined;
  }
}

/** Whether nobody else can have written what lies in a folder. Windows has no such mode; there it lies in the profile. */
function isOwn(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

function isUnbroken({ real, paths, traces }: InstallSeal, { root }: SealSubject): boolean {
  if (!sealedPlaces(root).every((place, index) => realPlace(place) === real[index])) return false;
  const base = shortPath(real[0] ?? '');
  // One object for all: this is run for every installed file.
  const options = { throwIfNoEntry: false } as const;
  return paths.every((path, index) => isTraced(traces, index, lstatSync(`${base}/${path}`, options)));
}

/** The way to a folder from the current one, where that is shorter: a fifth of the time of a call goes into the way. */
function shortPath(folder: string): string {
  const way = relative(process.cwd(), folder);
  return way === '' ? '.' : isAbsolute(way) || way.length >= folder.length ? folder : way;
}

/** Where a path leads, or `null` when nothing is there. */
export function realPlace(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
