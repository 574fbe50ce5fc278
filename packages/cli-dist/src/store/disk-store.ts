import { closeSync, existsSync, readdirSync, rmdirSync, statSync, unlinkSync, type Dirent } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { defaultArchiveLimits, digestHex, SkillsError, type Digest } from '@skillpack/core';
import { asIoError, errnoOf, isExhausted } from '../disk/io-error.js';
import { makeFolder } from '../disk/make-folder.js';
import { removeFile } from '../disk/remove-file.js';
import { kindOfEntry, statEntry } from '../disk/stat-entry.js';
import { temporaryFiles } from '../disk/temporary-files.js';
import { writeFileByRename } from '../disk/write-file-durably.js';
import { throwIfAborted } from '../root/root-lock.js';
import { archiveFile } from './archive-file.js';
import {
  heldBytes,
  type ArchiveStore,
  type IncomingArchive,
  type StoreCleaned,
  type StoredArchive,
  type StoreInfo,
  type StoreOptions,
  type StoreOpenOptions,
  type StoreVerified,
  type StoreVerifyOptions,
} from './archive-store.js';
import { ArrivingArchive } from './arriving-archive.js';
import { hashFile, hashOpen, readOpen } from './hashed-file.js';
import type { OpenedPack } from './opened-pack.js';
import { openRegular } from './open-regular.js';
import type { ExpectedPack, UnpackedPack } from './unpacked-pack.js';
import { isWhole, readUnpacked, unpackedEnding, writeUnpacked } from './unpacked-file.js';

/**
 * The store in a folder of its own: `blobs/sha256/<first two digits>/<digest>`. The folder is made when something is
 * kept. Many processes may use it at once: files appear by rename and never change.
 */
export function openStore(cacheDir: string, { onRefused }: StoreOptions = {}): ArchiveStore {
  return new DiskStore(resolve(cacheDir), (error) => onRefused?.(asIoError(error)));
}

class DiskStore implements ArchiveStore {
  readonly #path: string;
  readonly #blobs: string;

  /** Told of what keeps something from being kept. */
  readonly #refused: (error: unknown) => void;

  constructor(path: string, refused: (error: unknown) => void) {
    this.#path = path;
    this.#refused = refused;
    this.#blobs = join(path, 'blobs', 'sha256');
  }

  has(digest: Digest): boolean {
    return existsSync(this.#place(digest));
  }

  sizeOf(digest: Digest): number | undefined {
    return sizeAt(this.#place(digest));
  }

  async get(digest: Digest): Promise<Uint8Array | undefined> {
    const stored = this.#read(digest, { held: Number.POSITIVE_INFINITY, maxBytes: defaultArchiveLimits.archiveBytes });
    return stored?.archive instanceof Uint8Array ? stored.archive : undefined;
  }

  async open(digest: Digest, { maxBytes = 0 }: StoreOpenOptions = {}): Promise<StoredArchive | undefined> {
    return this.#read(digest, {
      held: heldBytes,
      maxBytes: Math.max(maxBytes, defaultArchiveLimits.archiveBytes),
    });
  }

  receive(digest: Digest, expected: number | undefined): IncomingArchive {
    return new ArrivingArchive({ digest, path: this.#place(digest), expected, refused: this.#refused });
  }

  async put(digest: Digest, bytes: Uint8Array): Promise<void> {
    const path = this.#place(digest);
    if (existsSync(path)) return;
    try {
      makeFolder(dirname(path));
      // Not flushed: whoever reads it hashes it, so what a loss of power leaves is found and fetched anew.
      writeFileByRename(path, bytes, { durable: false });
    } catch (error) {
      // The store saves time and needs no network; an install does not depend on it.
      this.#refused(error);
    }
  }

  getUnpacked(digest: Digest, expected: ExpectedPack): UnpackedPack | undefined {
    return readUnpacked(this.#place(digest), expected);
  }

  putUnpacked(digest: Digest, pack: OpenedPack): Promise<void> {
    return writeUnpacked(this.#place(digest), pack, this.#refused);
  }

  async info(): Promise<StoreInfo> {
    const entries = this.#entries();
    const bytes = sizeOf([...entries.map(({ path }) => path), ...this.#unpacked()]);
    const temporary = this.#folders().flatMap(temporaryFiles);
    const unfinished = { files: temporary.length, bytes: sizeOf(temporary) };
    return { path: this.#path, archives: entries.length, bytes, unfinished };
  }

  async clean(): Promise<StoreCleaned> {
    for (const folder of [dirname(this.#blobs), this.#blobs]) checkFolder(folder);
    const { path: _, ...cleaned } = await this.info();
    try {
      const temporary = this.#folders().flatMap(temporaryFiles);
      for (const path of [...this.#entries().map((entry) => entry.path), ...this.#unpacked(), ...temporary]) {
        removeFile(path);
      }
    } catch (error) {
      throw asIoError(error, undefined, 'Make the folder of the cache writable, or remove it by hand.');
    }
    for (const folder of [...this.#folders(), this.#blobs, dirname(this.#blobs)]) removeIfEmpty(folder);
    return cleaned;
  }

  async verify({ repair = true, signal }: StoreVerifyOptions = {}): Promise<StoreVerified> {
    const damaged: string[] = [];
    let bytes = 0;
    const entries = this.#entries();
    for (const { path, hex } of entries) {
      throwIfAborted(signal);
      const read = readOrNothing(() => hashFile(path));
      if (read === 'unreadable' || (read !== undefined && read.hex !== hex)) damaged.push(path);
      if (read !== 'unreadable') bytes += read?.size ?? 0;
      await setImmediate(); // lets a cancellation in
    }
    for (const path of this.#unpacked()) {
      throwIfAborted(signal);
      if (!isWhole(path)) damaged.push(path);
      await setImmediate();
    }
    const leftovers = this.#folders().flatMap(temporaryFiles).filter(isAbandoned);
    if (repair) for (const path of [...damaged, ...leftovers]) removeQuietly(path);
    return { archives: entries.length, bytes, damaged, leftovers, blocked: this.#blocked() };
  }

  /** What keeps archives from being kept: no folder where one belongs, or anything but a file under an archive's name. */
  #blocked(): readonly string[] {
    const above = [dirname(this.#blobs), this.#blobs].find((folder) => statEntry(folder)?.isDirectory() === false);
    if (above !== undefined) return [above];
    const folders = listFolder(this.#blobs).filter(({ name }) => /^[0-9a-f]{2}$/u.test(name));
    return folders.flatMap((folder) => {
      const path = join(this.#blobs, folder.name);
      if (!folder.isDirectory()) return [path];
      const archives = listFolder(path).filter(({ name }) => isArchiveName(name) && name.startsWith(folder.name));
      return archives.filter((entry) => !entry.isFile()).map(({ name }) => join(path, name));
    });
  }

  #read(digest: Digest, bounds: ReadBounds): StoredArchive | undefined {
    const path = this.#place(digest);
    const read = readOrNothing(() => readStored({ path, digest }, bounds));
    if (read === 'damaged') removeQuietly(path);
    // What the disk does not let be read may be whole: it is passed over, and stays.
    return typeof read === 'string' ? undefined : read;
  }

  #place(digest: Digest): string {
    const hex = digestHex(digest);
    return join(this.#blobs, hex.slice(0, 2), hex);
  }

  /** The archives by their names. What else lies here, or behind a link, is not the store's. */
  #entries(): readonly { readonly path: string; readonly hex: string }[] {
    return this.#folders().flatMap((folder) =>
      listFolder(folder)
        .filter((entry) => entry.isFile() && isArchiveName(entry.name))
        .map(({ name }) => ({ path: join(folder, name), hex: name }))
        .filter(({ path, hex }) => path === join(this.#blobs, hex.slice(0, 2), hex)),
    );
  }

  /** The unpacked forms, each called after its archive. */
  #unpacked(): readonly string[] {
    return this.#folders().flatMap((folder) =>
      listFolder(folder)
        .filter((entry) => entry.isFile() && isArchiveName(entry.name.replace(unpackedEnding, '')))
        .map(({ name }) => join(folder, name))
        .filter((path) => path.endsWith(unpackedEnding) && basename(path).startsWith(basename(folder))),
    );
  }

  #folders(): readonly string[] {
    if (![dirname(this.#blobs), this.#blobs].every((folder) => statEntry(folder)?.isDirectory() === true)) return [];
    return listFolder(this.#blobs)
      .filter((entry) => entry.isDirectory() && /^[0-9a-f]{2}$/u.test(entry.name))
      .map(({ name }) => join(this.#blobs, name));
  }
}

function sizeOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** `undefined` where nothing is, or cannot be asked for. */
function sizeAt(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size;
  } catch {
    return undefined;
  }
}

function isArchiveName(name: string): boolean {
  return /^[0-9a-f]{64}$/u.test(name);
}

const abandonedMs = 60 * 60 * 1000;

/** Whether nobody is writing a temporary file any more: no lock says so, but no download takes as long. */
function isAbandoned(path: string): boolean {
  const stats = statEntry(path);
  return stats !== undefined && stats.mtimeMs < Date.now() - abandonedMs;
}

/** @throws `IO_ERROR` when it is not the disk that is in the way, but that this process or machine has too much open. */
function readOrNothing<Value>(read: () => Value): Value | 'unreadable' {
  try {
    return read();
  } catch (error) {
    if (SkillsError.is(error, 'IO_ERROR') && !isExhausted(error)) return 'unreadable';
    throw error;
  }
}

/** How an archive is read. In bytes. */
interface ReadBounds {
  /** What is held in memory at most; what is larger stays in its file. */
  readonly held: number;
  /** What is larger than this is damaged, and nobody waits for it to be hashed. */
  readonly maxBytes: number;
}

/** @throws `IO_ERROR`. */
function readStored(
  { path, digest }: { readonly path: string; readonly digest: Digest },
  { held, maxBytes }: ReadBounds,
): StoredArchive | 'damaged' | undefined {
  const opened = openRegular(path);
  if (opened === undefined) return undefined;
  const { descriptor } = opened;
  let stays = false;
  try {
    if (opened.size > maxBytes) return 'damaged';
    if (opened.size <= held) {
      const { bytes, hex } = readOpen(opened, path);
      return hex === digestHex(digest) ? { archive: bytes, size: bytes.length, close() {} } : 'damaged';
    }
    const { size, hex } = hashOpen(opened, path);
    if (hex !== digestHex(digest)) return 'damaged';
    stays = true;
    const archive = archiveFile({ descriptor, path, size, digest });
    return { archive, size, close: archive.close };
  } finally {
    if (!stays) closeSync(descriptor);
  }
}

/** In the order of their names. */
function listFolder(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).toSorted((left, right) => (left.name < right.name ? -1 : 1));
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw asIoError(error, path);
  }
}

function checkFolder(path: string): void {
  const stats = statEntry(path);
  if (stats === undefined || stats.isDirectory()) return;
  throw new SkillsError(
    'PATH_TRAVERSAL_BLOCKED',
    `${path} is a ${kindOfEntry(stats)}, not a folder of the store’s own.`,
    {
      hint: 'Nothing was removed. Remove it by hand; the folder of the whole store may be a link.',
      data: { path },
    },
  );
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something that is not the store's lies in it, or another process has just kept an archive there.
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // A store that cannot be written: its damaged archive is passed over every time.
  }
}
