import { closeSync, readSync, unlinkSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { asIoError, isExhausted } from '../disk/io-error.js';
import { makeFolder } from '../disk/make-folder.js';
import { writeFileByRename } from '../disk/write-file-durably.js';
import type { OpenedPack } from './opened-pack.js';
import { openRegular } from './open-regular.js';
import { decodeUnpacked, encodeUnpacked, maxForm, type ExpectedPack, type UnpackedPack } from './unpacked-pack.js';

/** What an unpacked form is called after its archive. */
export const unpackedEnding = '.unpacked';

/**
 * Reads the unpacked form that is kept beside an archive. What it says of a pack beside its files, its descriptions say,
 * nothing vouches for but who wrote it: so nobody else may have been able to.
 *
 * @returns `undefined` when there is none that holds; one that does not hold is removed.
 */
export function readUnpacked(archive: string, expected: ExpectedPack): UnpackedPack | undefined {
  const path = archive + unpackedEnding;
  try {
    const bytes = readForm(path, isOwn);
    if (bytes === undefined) return undefined;
    const pack = decodeUnpacked(bytes, expected);
    if (pack === undefined) unlinkSync(path);
    return pack;
  } catch {
    // The disk does not let it be read, or removed: there is still the archive.
    return undefined;
  }
}

/** Keeps the unpacked form beside an archive, unless it is large or the disk does not let it; `refused` is told why. */
export async function writeUnpacked(
  archive: string,
  pack: OpenedPack,
  refused: (error: unknown) => void,
): Promise<void> {
  const bytes = await encodeUnpacked(pack);
  if (bytes === undefined) return;
  try {
    makeFolder(dirname(archive));
    writeFileByRename(archive + unpackedEnding, bytes, { durable: false });
  } catch (error) {
    // It saves time; an install does not depend on it.
    refused(error);
  }
}

/**
 * Whether an unpacked form can be read and is whole, whoever wrote it. What is gone meanwhile is.
 *
 * @throws `IO_ERROR` when too many files are open, or memory has run out.
 */
export function isWhole(path: string): boolean {
  try {
    const bytes = readForm(path, () => true);
    return bytes === undefined || decodeUnpacked(bytes, undefined) !== undefined;
  } catch (error) {
    if (SkillsError.is(error, 'IO_ERROR') && isExhausted(error)) throw error;
    return false;
  }
}

/** Whether nobody else can have written a file. Windows has no such mode; there it lies in the profile. */
function isOwn({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

function readForm(path: string, trusts: (stats: Stats) => boolean): Buffer | undefined {
  const opened = openRegular(path);
  if (opened === undefined) return undefined;
  const { descriptor, size, stats } = opened;
  try {
    if (!trusts(stats)) return undefined;
    // One byte more is enough to be found damaged.
    const bytes = Buffer.allocUnsafeSlow(Math.min(size, maxForm + 1));
    let length = 0;
    for (let read = 1; read > 0 && length < bytes.length; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    return bytes.subarray(0, length);
  } catch (error) {
    throw asIoError(error, path);
  } finally {
    closeSync(descriptor);
  }
}
