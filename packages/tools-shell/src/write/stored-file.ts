import { accessSync, closeSync, constants, fstatSync, lstatSync, openSync, readSync, type BigIntStats } from 'node:fs';
import { quoted, SkillsError } from '@skillpack/core';
import { asConfinedError, notWritten } from '../confine/confined-error.js';
import type { HeldParent } from '../confine/held-parent.js';
import { isDescriptorHandle, isSameEntry, type HeldEntry } from '../confine/hold-entry.js';
import { errnoOf } from '../errno.js';

/** A file as it is before something is done with it. */
export interface StoredFile {
  readonly stats: BigIntStats;
  /** `undefined` where it has more than are read. */
  readonly bytes: Uint8Array | undefined;
}

// Without O_NONBLOCK, opening a pipe waits for a writer for ever. Windows has neither.
const reading = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const ownerMayWrite = 0o200n;

/**
 * Reads a file that may be replaced or deleted. `undefined` where nothing is there.
 *
 * @throws `FILE_PROTECTED` for one that is read-only, `IO_ERROR`, what `holdFile` throws.
 */
export function readStored(parent: HeldParent, path: string, fileBytes: number): StoredFile | undefined {
  using held = parent.holdFile();
  if (held === undefined) return undefined;
  checkWritable(held, path);
  if (held.stats.size > fileBytes) return { stats: held.stats, bytes: undefined };
  return { stats: held.stats, bytes: readHeld(held, path, fileBytes) };
}

/** Whether what is in the place is what was read. @throws `FILE_CHANGED`. */
export function checkUnchanged({ place }: HeldParent, { stats }: StoredFile, path: string): void {
  const now = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  const facts = ['size', 'mtimeNs', 'ctimeNs'] as const;
  if (isSameEntry(stats, now) && facts.every((fact) => stats[fact] === now?.[fact])) return;
  throw fileChanged(path);
}

/** That somebody else was quicker. */
export function fileChanged(path: string): SkillsError {
  return new SkillsError('FILE_CHANGED', `${quoted(path)} was changed meanwhile. Nothing was written.`, {
    hint: 'Read it again, and decide anew.',
    data: { path: path.slice(0, 1024) },
  });
}

/** A name can be given another file by whoever may write to its folder; these rights are those of the file. */
function checkWritable({ handle, stats }: HeldEntry, path: string): void {
  const refusal = new SkillsError('FILE_PROTECTED', `${quoted(path)} is read-only.`, {
    hint: 'Ask the person to make it writable, if it is to be changed.',
    data: { path: path.slice(0, 1024) },
  });
  if ((stats.mode & ownerMayWrite) === 0n) throw refusal;
  try {
    accessSync(handle, constants.W_OK);
  } catch (error) {
    if (errnoOf(error) === 'EACCES' || errnoOf(error) === 'EPERM') throw refusal;
    throw notWritten(error, path);
  }
}

function readHeld({ handle, stats }: HeldEntry, path: string, fileBytes: number): Uint8Array | undefined {
  try {
    // Where a path is opened, it may be another file or a link by now. What is held by a descriptor is no link.
    const followed = isDescriptorHandle(handle) ? 0 : (constants.O_NOFOLLOW ?? 0);
    const descriptor = openSync(handle, reading | followed);
    try {
      if (!isSameEntry(stats, fstatSync(descriptor, { bigint: true }))) throw fileChanged(path);
      return readAll(descriptor, fileBytes);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw SkillsError.is(error) ? error : asConfinedError(error, path);
  }
}

/** Files that the system makes up as they are read say that they have no bytes: what counts is what comes. */
function readAll(descriptor: number, fileBytes: number): Uint8Array | undefined {
  const pieces: Uint8Array[] = [];
  for (let size = 0; ;) {
    const piece = new Uint8Array(256 * 1024);
    const count = readSync(descriptor, piece, 0, piece.length, null);
    if (count === 0) return Buffer.concat(pieces);
    size += count;
    if (size > fileBytes) return undefined;
    pieces.push(piece.subarray(0, count));
  }
}
