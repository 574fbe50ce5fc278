import { closeSync, constants, fstatSync, fsyncSync, openSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { asIoError, errnoOf } from './io-error.js';
import { blockedPath, isOwnFolder } from './run-paths.js';
import { syncFolder } from './write-durably.js';

/** A folder that is held open: what becomes of its path does not matter any more. */
export interface HeldFolder {
  /** As people know it. */
  readonly path: string;
  /** What leads to it for as long as it is held; its path, where the system has nothing else. */
  readonly handle: string;
  readonly descriptor: number | undefined;
}

/**
 * Holds a folder that is there.
 *
 * @param above the folder that it is looked up in. @default the one that its path names
 * @throws `PATH_TRAVERSAL_BLOCKED` for a link, and whatever else is no folder; `IO_ERROR`.
 */
export function holdFolder(path: string, above?: HeldFolder): HeldFolder {
  // Windows does not open folders: there, what is written by name is looked at before.
  if (process.platform === 'win32') {
    isOwnFolder(path);
    return { path, handle: path, descriptor: undefined };
  }
  const place = above === undefined ? path : `${above.handle}/${basename(path)}`;
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  try {
    const descriptor = openSync(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    return { path, handle: handleOf(descriptor) ?? path, descriptor };
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ELOOP' || code === 'EMLINK') throw blockedPath(path, 'a link');
    // Linux calls a link that, too.
    if (code === 'ENOTDIR') throw blockedPath(path, 'a link or no folder');
    throw asIoError(error, path);
  }
}

/** `/proc` may be missing, or closed to a process that changed its user. */
function handleOf(descriptor: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const handle = `/proc/self/fd/${descriptor}`;
  try {
    const there = statSync(handle, { bigint: true });
    const own = fstatSync(descriptor, { bigint: true });
    return there.ino === own.ino && there.dev === own.dev ? handle : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the entries of a folder durable, as far as the system can. @throws `IO_ERROR`. */
export function syncHeld({ path, descriptor }: HeldFolder): void {
  if (descriptor === undefined) return;
  syncFolder(path, () => fsyncSync(descriptor));
}

/** Lets a folder go. */
export function releaseFolder({ descriptor }: HeldFolder): void {
  if (descriptor !== undefined) closeSync(descriptor);
}
