import { randomBytes } from 'node:crypto';
import { constants, linkSync, lstatSync, renameSync, unlinkSync, type BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { checkAborted, quoted, SkillsError } from '@skillpack/core';
import { notWritten } from '../confine/confined-error.js';
import type { HeldParent } from '../confine/held-parent.js';
import { errnoOf } from '../errno.js';
import { checkUnchanged, fileChanged, type StoredFile } from './stored-file.js';

/** How the names of files begin that are not yet in place: where a process was killed, one may be left. */
const temporaryPrefix = '.skillpack-write-';

/** What is put in a place. */
export interface PutFile {
  /** As it was asked for. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** What is there now. `undefined` for nothing. */
  readonly previous: StoredFile | undefined;
  readonly signal: AbortSignal;
}

/**
 * Puts a file in place under another name first: whoever reads sees the old bytes or the new ones. What has several
 * names (hard links) gets a file of its own under this one; the others keep what they had.
 *
 * @throws `FILE_CHANGED` where another file is there by now, `FILE_PROTECTED`, `IO_ERROR`; nothing is left behind.
 */
export async function putFile(parent: HeldParent, { path, bytes, previous, signal }: PutFile): Promise<void> {
  const temporary = parent.beside(`${temporaryPrefix}${randomBytes(8).toString('hex')}`);
  try {
    await writeTemporary(temporary, { path, bytes, previous: previous?.stats });
    checkAborted(signal, 'The tool');
    // From here on this process does nothing else.
    parent.confirm();
    if (previous === undefined) {
      placeNew(temporary, parent, path);
    } else {
      checkUnchanged(parent, previous, path);
      renameSync(temporary, parent.place);
    }
    parent.makeDurable();
  } catch (error) {
    unlinkIfThere(temporary);
    throw notWritten(error, path);
  }
}

async function writeTemporary(
  temporary: string,
  { path, bytes, previous }: Pick<PutFile, 'path' | 'bytes'> & { readonly previous: BigIntStats | undefined },
): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  // Nobody else reads what nobody else may read.
  const mode = previous === undefined ? 0o666 : 0o600;
  await using file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | (constants.O_NOFOLLOW ?? 0), mode);
  await file.writeFile(bytes);
  if (previous !== undefined) await takeOver(file, previous, path);
  // Else a machine that loses its power may have the new name and nothing in it.
  await file.sync();
}

/** Owner and rights of the file before, but for those to run with the rights of its owner. */
async function takeOver(file: FileHandle, { uid, gid, mode }: BigIntStats, path: string): Promise<void> {
  const own = await file.stat({ bigint: true });
  if (own.uid !== uid || own.gid !== gid) {
    try {
      await file.chown(Number(uid), Number(gid));
    } catch (cause) {
      throw new SkillsError(
        'FILE_PROTECTED',
        `${quoted(path)} belongs to another user or group, and would be lost to it.`,
        {
          hint: 'Ask the person to change it.',
          cause,
        },
      );
    }
  }
  await file.chmod(Number(mode & 0o777n));
}

/** Replaces nothing that came meanwhile. */
function placeNew(temporary: string, { place }: HeldParent, path: string): void {
  try {
    linkSync(temporary, place);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw fileChanged(path);
    // A file system without hard links: somebody else comes between these two.
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) throw fileChanged(path);
    renameSync(temporary, place);
    return;
  }
  unlinkIfThere(temporary);
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made, or is in place: or else what comes before is the error to tell.
  }
}
