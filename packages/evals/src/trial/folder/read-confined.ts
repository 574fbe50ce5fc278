import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';

/** A file of a folder. */
export interface ConfinedPlace {
  /** Real and absolute. */
  readonly root: string;
  /** Relative to it, with `/`. */
  readonly path: string;
}

/**
 * The bytes of a regular file of a folder. What leads out of it is refused, by its path or by a link, also one that takes
 * the place of a file while it is opened.
 *
 * @throws `FILE_NOT_FOUND`, `PATH_TRAVERSAL_BLOCKED`, `FILE_TOO_LARGE`, `IO_ERROR`.
 */
export async function readConfined(place: ConfinedPlace, maxBytes: number): Promise<Uint8Array> {
  const { root, path } = place;
  const parts = partsOf(path);
  const full = join(root, ...parts);
  let handle: FileHandle | undefined;
  try {
    const before = await lstat(full);
    if (before.isSymbolicLink()) throw leadsOut(path);
    if (!before.isFile()) throw notFound(path, 'It is no regular file.');
    // Not waited for: a pipe may take its place.
    handle = await open(full, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const held = await handle.stat();
    if ((await realpath(full)) !== full || held.dev !== before.dev || held.ino !== before.ino) throw leadsOut(path);
    return await readAll(handle, { path, size: held.size, maxBytes });
  } catch (error) {
    throw asError(error, path);
  } finally {
    await handle?.close();
  }
}

function partsOf(path: string): readonly string[] {
  const parts = path.split('/');
  const odd = parts.some((part) => part === '' || part === '.' || part === '..' || /[\\\0]/u.test(part));
  if (odd || /^[A-Za-z]:/u.test(path)) throw leadsOut(path);
  return parts;
}

interface Reading {
  readonly path: string;
  readonly size: number;
  readonly maxBytes: number;
}

async function readAll(handle: FileHandle, { path, size, maxBytes }: Reading): Promise<Uint8Array> {
  if (size > maxBytes) throw tooLarge(path, size, maxBytes);
  // One more than may be there, so that one that grows is told.
  const buffer = new Uint8Array(Math.min(maxBytes, size + 1) + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
    length += bytesRead;
    if (bytesRead === 0) return buffer.slice(0, length);
    if (length === buffer.length) throw tooLarge(path, length, maxBytes);
  }
}

function tooLarge(path: string, size: number, maxBytes: number): SkillsError {
  return new SkillsError('FILE_TOO_LARGE', `${quoted(path)} has ${size} bytes; at most ${maxBytes} are read.`, {
    data: { path, size, maxBytes },
  });
}

function leadsOut(path: string): SkillsError {
  return new SkillsError('PATH_TRAVERSAL_BLOCKED', `${quoted(path)} leads out of the workspace, or is no path in it.`, {
    data: { path },
  });
}

function notFound(path: string, why?: string): SkillsError {
  return new SkillsError('FILE_NOT_FOUND', `There is no file ${quoted(path)} in the workspace.`, {
    hint: why,
    data: { path },
  });
}

function asError(error: unknown, path: string): SkillsError {
  if (SkillsError.is(error)) return error;
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return notFound(path);
  if (code === 'ELOOP') return leadsOut(path);
  return new SkillsError('IO_ERROR', `${quoted(path)} cannot be read: ${String(code ?? error)}.`, { cause: error });
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
