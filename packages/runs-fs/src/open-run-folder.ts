import {
  closeSync,
  constants,
  ftruncateSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { DeferredRun } from './deferred-run.js';
import { DiskJournal, type OpenRecord } from './disk-journal.js';
import { syncHeld } from './held-folder.js';
import { holdRun, makeRun, releaseRun, type HeldRun } from './held-run.js';
import { asIoError, withIoErrors } from './io-error.js';
import { listRuns } from './list-runs.js';
import { isCutOff } from './is-cut-off.js';
import { lockEvents } from './lock-file.js';
import {
  checkThere,
  openEvents,
  readKept,
  readOpenRecord,
  readRecord,
  type RecordOnDisk,
  type RecordPorts,
} from './read-record.js';
import type { OpenRun, ResumedRun, RunFolder, StoredRun } from './run-folder.js';
import { ignoreFile, isOwnFolder, runPaths, type RunPaths } from './run-paths.js';
import { sha256 } from './sha256.js';
import { syncFolder, writeDurably } from './write-durably.js';
import { findSummary, summaryProblem, type FoundSummary } from './written-summary.js';

/**
 * The folder of the runs of a project, or of a person: `.agents/runs`. It is made with the first run.
 *
 * @param root its path.
 * @example
 * ```ts
 * const runs = openRunFolder('.agents/runs');
 * const journal = await runs.create('first');
 * ```
 */
export function openRunFolder(root: string, ports: RecordPorts = { sha256 }): RunFolder {
  const folder = resolve(root);
  const pathsOf = (id: string): RunPaths => {
    const paths = runPaths(folder, id);
    isOwnFolder(folder);
    return paths;
  };
  return {
    create: async (id, { deferred = false } = {}) => {
      const paths = pathsOf(id);
      const make = async (): Promise<OpenRun> => create(paths, ports);
      return deferred ? new DeferredRun(paths, { ...ports, make }) : make();
    },
    read: async (id) => read(pathsOf(id), ports),
    list: async () => (isOwnFolder(folder) ? listRuns(folder, ports) : []),
    resume: async (id) => resume(pathsOf(id), ports),
  };
}

async function create(paths: RunPaths, ports: RecordPorts): Promise<OpenRun> {
  makeFolders(dirname(paths.folder));
  const { O_RDWR, O_APPEND, O_CREAT, O_EXCL } = constants;
  return opened(paths, { held: makeRun(paths), flags: O_RDWR | O_APPEND | O_CREAT | O_EXCL }, async (open) => {
    return new DiskJournal(paths, open, ports);
  });
}

async function read(paths: RunPaths, ports: RecordPorts): Promise<StoredRun> {
  const found = findSummary(paths);
  const record = readRecord(paths, ports);
  const of = { paths, found, ports };
  if (isFinished(record)) return stored(record, of);
  const cutOff = await isCutOff(paths);
  // Between the two it may have been finished.
  const again = cutOff ? readRecord(paths, ports) : record;
  return { ...stored(again, of), cutOff: cutOff && !isFinished(again) };
}

function isFinished({ events }: RecordOnDisk): boolean {
  return events.at(-1)?.type === 'run_finished';
}

async function resume(paths: RunPaths, ports: RecordPorts): Promise<ResumedRun> {
  checkThere(paths);
  const { O_RDWR, O_APPEND } = constants;
  return opened(paths, { held: holdRun(paths), flags: O_RDWR | O_APPEND }, async ({ descriptor, held }) => {
    const record = readOpenRecord(descriptor, paths, ports);
    if (record.events.length === 0) {
      throw new SkillsError('INVALID_RECORD', `The run ${paths.id} was cut off before its first event.`, {
        hint: 'Start it anew under another id.',
      });
    }
    if (record.torn !== undefined) putAside(paths, { descriptor, held }, record);
    const cutOff = !isFinished(record);
    const journal = new DiskJournal(paths, { descriptor, held, last: record.events.at(-1) }, ports);
    return { ...stored(record, { paths, found: findSummary(paths), ports }), cutOff, journal };
  });
}

/** Opens the events of a run, and does something with them under their lock; where that fails, all is let go. */
async function opened<Value>(
  paths: RunPaths,
  { held, flags }: { readonly held: HeldRun; readonly flags: number },
  work: (open: OpenRecord) => Promise<Value>,
): Promise<Value> {
  let descriptor: number | undefined;
  try {
    descriptor = openEvents(paths, { flags, handle: held.folder.handle });
    await lockEvents(descriptor, paths);
    return await work({ descriptor, held });
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    releaseRun(held);
    throw error;
  }
}

/** The torn line is somewhere else, for good, before it is cut off. */
function putAside(paths: RunPaths, { descriptor, held }: OpenRecord, { rest, bytes }: RecordOnDisk): void {
  writeDurably(join(paths.folder, `events.torn-at-${bytes}`), rest, held.folder.handle);
  syncHeld(held.folder);
  withIoErrors(paths.events, () => {
    ftruncateSync(descriptor, bytes);
    fsyncSync(descriptor);
  });
}

/** Beside its events, what is known of a record. */
interface Surroundings {
  readonly paths: RunPaths;
  readonly found: FoundSummary;
  readonly ports: RecordPorts;
}

function stored({ events, torn }: RecordOnDisk, { paths, found, ports }: Surroundings): StoredRun {
  const { id, folder } = paths;
  return {
    id,
    folder,
    events,
    torn,
    cutOff: false,
    summaryProblem: summaryProblem(paths, found, events),
    kept: async (digest) => readKept(paths, digest, ports),
  };
}

/**
 * Those above the runs are the project's; the runs themselves are nobody else's to read, and no repository's: they
 * are made with a `.gitignore` in it, which is not made again where somebody removed it.
 */
function makeFolders(root: string): void {
  if (isOwnFolder(root)) {
    ignoreRunsOf(root);
    return;
  }
  let made: string | undefined;
  try {
    const first = mkdirSync(dirname(root), { recursive: true });
    // Under another name first: a crash leaves no folder of runs without the file. Nobody else may read it (0700).
    made = mkdtempSync(join(dirname(root), '.tmp-runs-'));
    writeDurably(join(made, ignoreFile), new TextEncoder().encode('*\n'));
    syncFolder(made);
    renameSync(made, root);
    syncAbove(root, first ?? root);
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    // Another process has made it meanwhile.
    if (!isOwnFolder(root)) throw asIoError(error, root);
  }
}

// By these, a repository brings a folder in which there is nothing yet.
const placeholders: readonly string[] = ['.gitkeep', '.keep'];

/** A repository may bring the folder, with nothing in it that keeps records out. Whatever else is in it is somebody's choice. */
function ignoreRunsOf(root: string): void {
  withIoErrors(root, () => {
    const names = readdirSync(root);
    if (names.length === 0 || !names.every((name) => placeholders.includes(name))) return;
    writeDurably(join(root, ignoreFile), new TextEncoder().encode('*\n'));
    syncFolder(root);
  });
}

/** A record is on the disk only where the names of all folders above it are, from the first one that was made. */
function syncAbove(root: string, first: string): void {
  for (let folder = dirname(root); folder.length >= dirname(first).length; folder = dirname(folder)) {
    syncFolder(folder);
    if (folder === dirname(folder)) return;
  }
}
