import { lstatSync, readdirSync, rmdirSync, unlinkSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { errnoOf } from '../files/errno-of.js';

/** What files of one kind are called, finished and while they are written: nothing else is ever taken for one. */
export interface CacheFileNames {
  readonly kept: RegExp;
  readonly unfinished: RegExp;
}

/** A folder of the cache whose files can all be made again. Read and emptied by the names of its files alone. */
export interface CachePart {
  readonly kind: 'documents' | 'scans' | 'seals' | 'code';
  readonly folder: string;
  readonly names: CacheFileNames;
  /** What the folders are called that its files lie in. @default the files lie in the folder itself */
  readonly within?: RegExp | undefined;
}

/** How much there is of a part. */
export interface CachePartSize {
  readonly kind: CachePart['kind'];
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
}

/** Counts what is kept. @throws `IO_ERROR`. */
export function measurePart(part: CachePart): CachePartSize {
  return sizeOf(part, filesOf(part, 'kept'));
}

/**
 * Removes everything of a part, and its folders when nothing else lies in them. Links are left alone.
 *
 * @returns how much was kept there.
 * @throws `IO_ERROR`.
 */
export function cleanPart(part: CachePart): CachePartSize {
  const kept = filesOf(part, 'kept');
  const size = sizeOf(part, kept);
  for (const path of [...kept, ...filesOf(part, 'unfinished')]) removeFile(path);
  for (const folder of [...(part.within === undefined ? [] : foldersOf(part)), part.folder]) removeIfEmpty(folder);
  return size;
}

const abandonedMs = 60 * 60 * 1000;

/** Removes files that were being written an hour ago or longer: no process takes as long. @returns their paths. */
export function removeAbandoned(part: CachePart, now: number): readonly string[] {
  return filesOf(part, 'unfinished').filter((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.mtimeMs >= now - abandonedMs) return false;
    removeFile(path);
    return true;
  });
}

function sizeOf({ kind, folder }: CachePart, files: readonly string[]): CachePartSize {
  const sizes = files.map((path) => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return { kind, path: folder, files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

function filesOf(part: CachePart, state: keyof CacheFileNames): readonly string[] {
  return foldersOf(part).flatMap((folder) =>
    listFolder(folder)
      .filter((entry) => entry.isFile() && part.names[state].test(entry.name))
      .map(({ name }) => join(folder, name)),
  );
}

function foldersOf({ folder, within }: CachePart): readonly string[] {
  // What a link leads to is not the cache's to empty.
  if (!isFolder(folder)) return [];
  if (within === undefined) return [folder];
  return listFolder(folder)
    .filter((entry) => entry.isDirectory() && within.test(entry.name))
    .map(({ name }) => join(folder, name));
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    // A file stands where a folder above it belongs.
    if (errnoOf(error) === 'ENOTDIR') return false;
    throw ioError('read', path, error);
  }
}

function listFolder(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw ioError('read', path, error);
  }
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // Another process may have removed it, or given it its name.
    if (errnoOf(error) !== 'ENOENT') throw ioError('removed', path, error);
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something of somebody else's lies in it, or another process has just kept something there.
  }
}

function ioError(what: 'read' | 'removed', path: string, cause: unknown): SkillsError {
  const code = errnoOf(cause);
  const hint = 'Make the folder of the cache writable, or remove it by hand.';
  return new SkillsError('IO_ERROR', `${path} cannot be ${what} (${code}).`, { hint, cause, data: { path, code } });
}
