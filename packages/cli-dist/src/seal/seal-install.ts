import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { keepsChangeTimes } from '../disk/keeps-change-times.js';
import { makeFolder } from '../disk/make-folder.js';
import { writeFileByRename } from '../disk/write-file-durably.js';
import type { InstalledNow } from '../install/install-report.js';
import type { RootPaths } from '../root/root-paths.js';
import { realPlace } from './recall-install.js';
import {
  encodeSeal,
  mostSealBytes,
  sealedPlaces,
  sealPath,
  traceLength,
  writeTrace,
  type InstallSeals,
  type SealSubject,
} from './seal-file.js';

/** An install that found nothing to do. */
export interface SettledInstall {
  readonly subject: SealSubject;
  readonly paths: RootPaths;
  readonly packs: readonly InstalledNow[];
  /** Links for other agents, relative to the folder of the skills. */
  readonly links: readonly string[];
  /** When it began to look: milliseconds since 1970, by the clock that files get their times from. */
  readonly since: number;
}

// File systems tell times apart by up to two seconds (FAT); a clock may step a little.
const marginMs = 3_000;
const mostEntries = 100_000;

/**
 * Remembers that an install found nothing to do, by what everything it looked at looks like. Remembered is only what was
 * last changed well before the install began to look: whatever is changed while it looks, or later, has another time of
 * change, which no program can set without setting the clock. Where that cannot be relied on, nothing is remembered, and
 * the next install looks at every file again.
 *
 * A write through a shared mapping moves the time only when it is the first one since the system wrote the page to the
 * disk. Who mapped a file, wrote to it, and writes again after the seal but before that, half a minute as a rule, is
 * found by `verify` and by whatever replaces the file, not by the next install.
 */
export function sealInstall(install: SettledInstall, seals: InstallSeals): void {
  try {
    const entries = lookAround(install);
    if (entries === undefined) return;
    const traces = new Float64Array(entries.length * traceLength);
    for (const [index, { stats }] of entries.entries()) writeTrace(traces, index, stats);
    const { subject, packs } = install;
    const real = sealedPlaces(subject.root).map(realPlace);
    const seal = { real, packs, paths: entries.map(({ path }) => path), traces };
    makeFolder(seals.folder, 0o700);
    const bytes = encodeSeal(seal, subject, seals);
    if (bytes.length > mostSealBytes) return;
    writeFileByRename(sealPath(subject, seals), bytes, { durable: false });
  } catch {
    // It saves time; an install does not depend on it.
  }
}

interface Entry {
  /** Relative to the folder of the skills. */
  readonly path: string;
  readonly stats: Stats | undefined;
}

/** Everything that an install looks at, as it is now; `undefined` when that says too little. */
function lookAround({ paths, packs, links, since }: SettledInstall): readonly Entry[] | undefined {
  if (!keepsChangeTimes(paths.skillsDir)) return undefined;
  const device = lstatSync(paths.skillsDir).dev;
  const entries: Entry[] = [];
  const add = (path: string): boolean => {
    const stats = lstatSync(join(paths.skillsDir, path), { throwIfNoEntry: false });
    entries.push({ path, stats });
    if (entries.length > mostEntries || !isTellable(path)) return false;
    if (stats === undefined) return true;
    if (stats.dev !== device || stats.ctimeMs <= 0 || stats.ctimeMs >= since - marginMs) return false;
    return !stats.isDirectory() || insideOf(path).every(add);
  };
  const lock = fromRoot(paths.mutex, paths);
  const insideOf = (path: string): readonly string[] =>
    readdirSync(join(paths.skillsDir, path))
      .map((name) => `${path}/${name}`)
      // Whoever holds the lock writes there, and nothing that is installed is in it.
      .filter((inside) => inside !== lock);
  const governing = [paths.projectFile, paths.lockFile, paths.journal, paths.staging, paths.controlDir];
  const tops = [...governing.map((path) => fromRoot(path, paths)), ...packs.flatMap(({ skills }) => skills), ...links];
  return tops.every(add) ? entries : undefined;
}

function fromRoot(path: string, { skillsDir }: RootPaths): string {
  return relative(skillsDir, path).split(sep).join('/');
}

/** Whether a path can be noted, and found again from the root: not one on another drive, nor one that is no Unicode. */
function isTellable(path: string): boolean {
  return !isAbsolute(path) && path.isWellFormed() && !/[\n\uFFFD]/u.test(path);
}
