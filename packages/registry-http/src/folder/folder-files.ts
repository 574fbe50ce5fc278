import { randomUUID } from 'node:crypto';
import { lstat, open, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { SkillsError } from '@skillpack/core';
import { makeFolder } from '../make-folder.js';
import { systemDisk, type Disk } from './disk.js';
import { errnoOf } from './errno-of.js';

/** What is known of a file without reading it. */
export interface FileFacts {
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
  /** Changes whenever the file is replaced. */
  readonly mark: string;
}

/** Bytes of a file, counted from 0. */
export interface ByteRange {
  readonly first: number;
  /** Included. */
  readonly last: number;
}

/** An entry of a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
}

/**
 * The files of a registry's folder. Paths are relative to it and slash-separated. A file that is there is there whole:
 * it is written beside, flushed to the disk and moved into place.
 */
export interface FolderFiles {
  /** The file's bytes, or `undefined` when there is none. */
  read(path: string): Promise<Uint8Array | undefined>;
  facts(path: string): Promise<FileFacts | undefined>;
  /**
   * Some of a file's bytes, the last one included, as they are read.
   *
   * @throws `PATH_TRAVERSAL_BLOCKED` when a link in the folder leads out of it, `IO_ERROR`.
   */
  stream(path: string, range: ByteRange): Promise<ReadableStream<Uint8Array>>;
  /** Files and folders by name; links and everything else are left out. Empty when there is no such folder. */
  list(path: string): Promise<readonly FolderEntry[]>;
  /** Writes a file only if there is none: of several processes, one is told `true`. */
  create(path: string, content: Uint8Array | string): Promise<boolean>;
  /** Writes a file or replaces it, at once for every reader. */
  replace(path: string, content: Uint8Array | string): Promise<void>;
  /** Removes a file, or a folder with all it holds; nothing happens when it is not there. */
  remove(path: string): Promise<void>;
}

const temporary = '.tmp';
const abandonedAfter = 60 * 60 * 1000;

/** The files below a folder of this machine, which is made when something is first written. */
export function createFolderFiles(folder: string): FolderFiles {
  return filesOnDisk(folder, systemDisk);
}

/** As {@link createFolderFiles}, with the steps on the disk chosen. */
export function filesOnDisk(folder: string, disk: Disk): FolderFiles {
  const root = resolve(folder);
  const at = (path: string): string => confine(root, path);
  return {
    async read(path) {
      const file = at(path);
      return orUndefined(path, () => readFile(file));
    },
    async stream(path, { first, last }) {
      const file = at(path);
      return wrapped(path, async () => {
        const handle = await open(await realFile(root, file, path), 'r');
        // Cast: a stream that is made of a file without an encoding is of bytes.
        return Readable.toWeb(handle.createReadStream({ start: first, end: last })) as ReadableStream<Uint8Array>;
      });
    },
    async facts(path) {
      const file = at(path);
      return orUndefined(path, async () => {
        const facts = await stat(file, { bigint: true });
        if (!facts.isFile()) return undefined;
        const mark = `${facts.ino}-${facts.mtimeNs}-${facts.size}`;
        return { size: Number(facts.size), modified: facts.mtime, mark };
      });
    },
    async list(path) {
      const entries = await orUndefined(path, () => readdir(at(path), { withFileTypes: true }));
      return (entries ?? []).flatMap((entry): FolderEntry[] => {
        if (entry.isFile()) return [{ name: entry.name, kind: 'file' }];
        return entry.isDirectory() ? [{ name: entry.name, kind: 'folder' }] : [];
      });
    },
    async create(path, content) {
      const file = at(path);
      return wrapped(path, () => createExclusively({ root, file, content }, disk));
    },
    async replace(path, content) {
      const file = at(path);
      await wrapped(path, () => replaceWhole({ root, file, content }, disk));
    },
    async remove(path) {
      await wrapped(path, () => rm(at(path), { recursive: true, force: true }));
    },
  };
}

/** Removes what writers that were killed left behind: staged files that nobody has touched for an hour. */
export async function removeAbandoned(files: FolderFiles, now: Date): Promise<void> {
  for (const { name } of await files.list(temporary)) {
    const facts = await files.facts(`${temporary}/${name}`);
    if (facts !== undefined && now.getTime() - facts.modified.getTime() > abandonedAfter) {
      await files.remove(`${temporary}/${name}`);
    }
  }
}

interface Write {
  readonly root: string;
  readonly file: string;
  readonly content: Uint8Array | string;
}

/** Does `place` with a file beside that has the content, whole and on the disk. It is gone in the end, however that is. */
async function withStaged<Value>(
  { root, content }: Write,
  disk: Disk,
  place: (staged: string) => Promise<Value>,
): Promise<Value> {
  const folder = join(root, temporary);
  makeFolder(folder);
  const staged = join(folder, randomUUID());
  try {
    await writeFile(staged, content, { flag: 'wx', mode: 0o644 });
    await disk.flush(staged);
    return await place(staged);
  } finally {
    // To fail here would hide what went wrong before, or undo nothing; a build removes it later.
    await rm(staged, { force: true }).catch(() => undefined);
  }
}

async function createExclusively(write: Write, disk: Disk): Promise<boolean> {
  // Only a link decides; looked at first, what is there needs no room on a full disk.
  if (await isThere(write.file)) return false;
  try {
    await withStaged(write, disk, async (staged) => {
      const folders = makeFolderOf(write.file);
      // A link, unlike a rename, refuses to replace; unlike an exclusive open, it shows the file only when it is whole.
      await disk.link(staged, write.file);
      await flushFolders(folders, disk);
    });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function replaceWhole(write: Write, disk: Disk): Promise<void> {
  await withStaged(write, disk, async (staged) => {
    const folders = makeFolderOf(write.file);
    await disk.move(staged, write.file);
    await flushFolders(folders, disk);
  });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

/** Makes a file's folder, with those above it. @returns the folders whose names have changed, the file's own first. */
function makeFolderOf(file: string): readonly string[] {
  const folder = dirname(file);
  const first = makeFolder(folder);
  const changed = [folder];
  if (first === undefined) return changed;
  for (let present = folder; ; present = dirname(present)) {
    changed.push(dirname(present));
    if (present === first) return changed;
  }
}

async function flushFolders(folders: readonly string[], disk: Disk): Promise<void> {
  // Windows cannot open a folder to flush it; NTFS journals the move itself.
  if (process.platform === 'win32') return;
  for (const folder of folders) await disk.flush(folder);
}

/** Where a file really is: a link that somebody put into the folder may not lead out of it. */
async function realFile(root: string, file: string, path: string): Promise<string> {
  const [realRoot, real] = await Promise.all([realpath(root), realpath(file)]);
  if (!real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)) throw outside(path);
  return real;
}

function confine(root: string, path: string): string {
  const parts = path.split('/');
  // eslint-disable-next-line no-control-regex -- a NUL would end the path early for the operating system
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\\u0000]|^[A-Za-z]:/u.test(part))) {
    throw outside(path);
  }
  return join(root, ...parts);
}

function outside(path: string): SkillsError {
  return new SkillsError('PATH_TRAVERSAL_BLOCKED', `“${path}” is not a path inside the registry's folder.`);
}

async function orUndefined<Value>(path: string, action: () => Promise<Value>): Promise<Value | undefined> {
  return wrapped(path, async () => {
    try {
      return await action();
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(errnoOf(error))) return undefined;
      throw error;
    }
  });
}

async function wrapped<Value>(path: string, action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    if (SkillsError.is(error)) throw error;
    throw new SkillsError('IO_ERROR', `“${path}” of the registry's folder cannot be used: ${errnoOf(error)}.`, {
      cause: error,
      hint: hintFor(errnoOf(error)),
      data: { path, code: errnoOf(error) },
    });
  }
}

function hintFor(code: string): string {
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) {
    return 'Free some space there, then do it again. What could not be written whole was removed.';
  }
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)
    ? 'The folder must be writable, and on a file system that has hard links.'
    : 'Look at the permissions and the free space of the folder.';
}
