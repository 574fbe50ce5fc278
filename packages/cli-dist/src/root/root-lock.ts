import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SkillsError } from '@skillpack/core';
import type nativeLocks from 'fs-native-extensions';
import { asIoError, errnoOf } from '../disk/io-error.js';
import { readText } from '../disk/read-text.js';
import { kindOfEntry, statEntry } from '../disk/stat-entry.js';
import { blockedFolder } from './blocked-folder.js';
import type { RootPaths } from './root-paths.js';

type NativeLocks = typeof nativeLocks;

/** How long a root is waited for. */
export interface RootLockOptions {
  /** In milliseconds. 0: take it now or not at all. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  /** Told once, when another process holds the root; its process id, where it is known. */
  readonly onWait?: ((holder: number | undefined) => void) | undefined;
}

/** A root that nobody else changes until it is released. */
export interface RootLock {
  /** Folders that were made to take the lock, outermost first. */
  readonly created: readonly string[];
  /**
   * Lets others in. Folders that hold nothing but the lock are removed: those made for it, or with `prune` all of them
   * up to the folder of the skills. What cannot be removed stays.
   */
  release(options?: { readonly prune?: boolean | undefined }): void;
}

// On Windows a locked range cannot be read by others; this one lies far behind the text that says who holds it.
const range = process.platform === 'win32' ? ([2 ** 30, 1] as const) : ([0, 0] as const);

/**
 * Takes the one lock of a root: a lock of the kernel's, which goes with the process that holds it, however that ends.
 *
 * @throws `BUSY` after `timeout`, naming the process that holds it; `INTERRUPTED`, `IO_ERROR`.
 */
export async function lockRoot(paths: RootPaths, options: RootLockOptions): Promise<RootLock> {
  // Loaded only by commands that change something: it costs a tenth of Node's own start.
  const native = await loadLocks();
  const created: string[] = [];
  const deadline = performance.now() + options.timeout;
  let told = false;
  for (let attempt = 0; ; attempt += 1) {
    throwIfAborted(options.signal);
    const descriptor = openMutex(paths, created);
    if (descriptor !== undefined) {
      if (tryLock(native, descriptor, paths) && isCurrent(descriptor, paths.mutex)) {
        return held(paths, descriptor, created);
      }
      closeSync(descriptor);
    }
    const left = deadline - performance.now();
    if (left <= 0) throw busy(paths);
    if (!told && attempt > 0) {
      told = true;
      options.onWait?.(recordedHolder(paths));
    }
    await delay(Math.min(left, 5 + Math.random() * Math.min(100, 10 * attempt)));
  }
}

/**
 * The process that holds a root at this moment, by its process id where that is known; `undefined` when nobody does. It
 * takes the lock for a moment to find out, and makes nothing.
 *
 * @throws `IO_ERROR`.
 */
export async function holderOf(paths: RootPaths): Promise<{ readonly pid: number | undefined } | undefined> {
  if (statEntry(paths.mutex)?.isFile() !== true) return undefined;
  const native = await loadLocks();
  let descriptor: number;
  try {
    descriptor = openSync(paths.mutex, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  } catch {
    return undefined; // Removed in between, or not ours to lock.
  }
  if (!tryLock(native, descriptor, paths)) {
    closeSync(descriptor);
    return { pid: recordedHolder(paths) };
  }
  closeSync(descriptor);
  return undefined;
}

function openMutex(paths: RootPaths, created: string[]): number | undefined {
  try {
    makeFolders(paths.controlDir, created);
    return openWithoutLinks(paths.mutex);
  } catch (error) {
    // Somebody who released the lock removed the folder in between.
    if (errnoOf(error) === 'ENOENT') return undefined;
    removeEmpty(created);
    throw blockedFolder(paths.controlDir) ?? asIoError(error);
  }
}

async function loadLocks(): Promise<NativeLocks> {
  try {
    return (await import('fs-native-extensions')).default;
  } catch (cause) {
    throw new SkillsError(
      'IO_ERROR',
      `There are no file locks for ${process.platform}-${process.arch} here: ${(cause as Error).message}.`,
      {
        hint: 'The package fs-native-extensions has to be installed with its prebuilt files, and a C library that they fit.',
        cause,
      },
    );
  }
}

function tryLock(native: NativeLocks, descriptor: number, paths: RootPaths): boolean {
  try {
    return native.tryLock(descriptor, ...range);
  } catch (cause) {
    closeSync(descriptor);
    throw new SkillsError(
      'IO_ERROR',
      `The file system of ${paths.skillsDir} has no locks: ${(cause as Error).message}.`,
      {
        hint: 'Choose a root on a local disk.',
        cause,
        data: { path: paths.mutex },
      },
    );
  }
}

/** A link would have the lock file of a stranger's project empty any file of this machine. */
function openWithoutLinks(path: string): number {
  const stats = statEntry(path);
  if (stats !== undefined && !stats.isFile()) {
    throw new SkillsError(
      'PATH_TRAVERSAL_BLOCKED',
      `${path} is a ${kindOfEntry(stats)}, not a lock of skillpack’s own.`,
      {
        hint: 'Run `skills doctor --repair`: it puts it aside.',
        data: { path },
      },
    );
  }
  const { O_RDWR, O_CREAT, O_APPEND } = constants;
  return openSync(path, O_RDWR | O_CREAT | O_APPEND | (constants.O_NOFOLLOW ?? 0), 0o644);
}

function makeFolders(path: string, created: string[]): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      mkdirSync(path);
      created.push(path);
      return;
    } catch (error) {
      const code = errnoOf(error);
      if (code === 'EEXIST') return;
      if (code !== 'ENOENT' || dirname(path) === path) throw error;
      // The parent is not there yet, or was removed in between; or this is no file system for files, as /proc is not.
      if (attempt === 8) throw asIoError(error, path, 'No folder can be made there: choose another one with --root.');
      makeFolders(dirname(path), created);
    }
  }
}

/** Whether the locked file is still the one at the path: its last holder may have removed it. */
function isCurrent(descriptor: number, path: string): boolean {
  const stats = statEntry(path);
  if (stats === undefined) return false;
  const locked = fstatSync(descriptor);
  // On Windows a path and a descriptor do not always agree on the number of the volume.
  return stats.ino === locked.ino && (process.platform === 'win32' || stats.dev === locked.dev);
}

function held(paths: RootPaths, descriptor: number, created: readonly string[]): RootLock {
  try {
    ftruncateSync(descriptor, 0);
    writeSync(descriptor, `${JSON.stringify({ pid: process.pid })}\n`, 0);
  } catch {
    // A full disk: the lock holds without a word about its holder.
  }
  return {
    created,
    release: ({ prune = false } = {}) => {
      tidyUp(paths, prune ? [paths.skillsDir, paths.controlDir] : created);
      closeSync(descriptor);
    },
  };
}

/** Removes folders that hold nothing but the lock. */
function tidyUp(paths: RootPaths, folders: readonly string[]): void {
  try {
    if (!folders.includes(paths.controlDir) || !onlyMutexIn(paths)) return;
    unlinkSync(paths.mutex);
    removeEmpty(folders);
  } catch {
    // What the command was for is done; a file that nobody holds keeps nobody out.
  }
}

function onlyMutexIn(paths: RootPaths): boolean {
  const names = readdirSync(paths.controlDir);
  return names.length === 1 && paths.mutex.endsWith(names[0] ?? '');
}

function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      return; // Not empty any more: somebody else uses it.
    }
  }
}

function recordedHolder(paths: RootPaths): number | undefined {
  try {
    const { pid } = JSON.parse(readText(paths.mutex, 1024) ?? '{}') as { pid?: unknown };
    return typeof pid === 'number' ? pid : undefined;
  } catch {
    return undefined;
  }
}

function busy(paths: RootPaths): SkillsError {
  const pid = recordedHolder(paths);
  const who = pid === undefined ? 'Another process' : `Process ${pid}`;
  return new SkillsError('BUSY', `${who} is changing ${paths.skillsDir} and did not finish in time.`, {
    hint: 'Run it again when the other one has ended, or end the other one: what it began is then finished or undone.',
    data: { root: paths.skillsDir, pid },
  });
}

/** @throws `INTERRUPTED` when the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new SkillsError('INTERRUPTED', 'Cancelled; nothing was changed.', { cause: signal.reason });
}
