import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { errnoOf } from './errno.js';
import { makeOwnFolder } from './make-own-folder.js';

/** Where scans remember the front matter that they read, so that the next one need not open files that are as they were. */
export interface ScanCachePort {
  /** Absolute; one file a root is kept in it. It is made when it is missing, for its owner alone. */
  readonly folder: string;
  /** Milliseconds since 1970, `Date.now()`: files that changed a moment before a scan are not remembered by it. */
  readonly now: () => number;
}

/** What was kept of a file, and how the file looked then. */
export type KnownFile = readonly [
  place: string,
  device: number,
  inode: number,
  size: number,
  /** Milliseconds since 1970, with what fractions the system knows. */
  modified: number,
  /** As `modified`, of the last change of any kind, which no program can set. */
  changed: number,
  kept: unknown,
];

const magic = 'skillpack-scan 2 ';
const checksumLength = 8;
const largest = 64 * 1024 * 1024;
const mostEntries = 100_000;
// Two writes within one tick of a file system's clock leave the same times; the coarsest one, of FAT, ticks every 2 s.
const longestTick = 2000;

/**
 * What was read of the files of one root, by their places below it, each with what tells one state of that file from any
 * other: whoever writes to a file, or puts another in its place, changes it. One writer does not: through a shared
 * mapping that was written to before, until the system has written the page to the disk (for ever on tmpfs). A cache that is damaged, of another version,
 * or that somebody else could have written, is as good as none; one that cannot be written is not. What comes from it is
 * any JSON value: whoever recalls it takes nothing for granted.
 */
export class ScanCache {
  readonly #file: string;
  readonly #root: string;
  readonly #folder: string;
  readonly #begun: number;
  /** In the order in which the scan before came across them, which is that of this one but for what has changed. */
  readonly #known: readonly unknown[];
  /** Where those of them stand that are not asked for in that order; made when the first one is. */
  #places: ReadonlyMap<string, number> | undefined;
  #next = 0;
  readonly #used: KnownFile[] = [];
  #changed = false;

  /** @param root the path of the root, and how its files are read where that is not as usual. */
  constructor({ folder, now }: ScanCachePort, root: string) {
    this.#folder = folder;
    this.#root = root;
    this.#file = join(folder, `${checksum(root)}.scan`);
    this.#begun = now();
    this.#known = readKnown(this.#file, root) ?? [];
  }

  /** What is known of a file, which may still be as it was: {@link recall} tells. */
  find(place: string): KnownFile | undefined {
    let index = this.#next;
    let known = this.#known[index];
    if (!isKnownFile(known) || known[0] !== place) {
      // The root itself comes first: every scan asks for it, and hardly any root is a skill.
      if (place === '') return undefined;
      this.#places ??= placesOf(this.#known);
      index = this.#places.get(place) ?? -1;
      known = this.#known[index];
      if (!isKnownFile(known)) return undefined;
    }
    this.#next = index + 1;
    return known;
  }

  /** What was kept of a file that was found, if it is as it was when it was read. */
  recall(known: KnownFile, stat: Stats): unknown {
    if (!isOf(known, stat)) return undefined;
    this.#use(known);
    return known[6];
  }

  /** @param kept any JSON value. */
  remember(place: string, { dev, ino, size, mtimeMs, ctimeMs }: Stats, kept: unknown): void {
    if (Math.max(mtimeMs, ctimeMs) + longestTick > this.#begun) return;
    this.#use([place, dev, ino, size, mtimeMs, ctimeMs, kept]);
    this.#changed = true;
  }

  // What was recalled in vain is remembered anew at once, or recalled again.
  #use(file: KnownFile): void {
    const last = this.#used.length - 1;
    if (this.#used[last]?.[0] === file[0]) this.#used[last] = file;
    else this.#used.push(file);
  }

  /** Writes down what was recalled and remembered, and nothing else. */
  save(): void {
    if (!this.#changed && this.#used.length === this.#known.length) return;
    const bytes = format(this.#used, this.#root);
    if (bytes === undefined) return;
    const temporary = `${this.#file}.${process.pid}`;
    try {
      makeOwnFolder(this.#folder);
      writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600 });
      renameSync(temporary, this.#file);
    } catch (error) {
      errnoOf(error);
      removeIfThere(temporary);
    }
  }
}

function removeIfThere(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    errnoOf(error);
  }
}

function placesOf(known: readonly unknown[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [index, file] of known.entries()) if (isKnownFile(file)) places.set(file[0], index);
  return places;
}

function isOf([, device, inode, size, modified, changed]: KnownFile, stat: Stats): boolean {
  return (
    changed === stat.ctimeMs &&
    modified === stat.mtimeMs &&
    size === stat.size &&
    inode === stat.ino &&
    device === stat.dev
  );
}

function format(files: readonly KnownFile[], root: string): Uint8Array | undefined {
  if (files.length > mostEntries) return undefined;
  const body = Buffer.from(asciiJson([root, ...files]), 'latin1');
  const bytes = Buffer.concat([Buffer.from(`${magic}${checksum(body)}`), body]);
  return bytes.length > largest ? undefined : bytes;
}

/** JSON that shows what nobody could see. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[^ -~]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** A checksum finds damage; whoever can write the file can make one. */
function checksum(data: string | Uint8Array): string {
  return crc32(data).toString(16).padStart(checksumLength, '0');
}

function readKnown(file: string, root: string): readonly unknown[] | undefined {
  const bytes = readOwnFile(file);
  if (bytes === undefined || !bytes.subarray(0, magic.length).equals(Buffer.from(magic))) return undefined;
  const start = magic.length + checksumLength;
  const body = bytes.subarray(start);
  if (bytes.toString('latin1', magic.length, start) !== checksum(body)) return undefined;
  const parts = parseJson(body.toString('latin1'));
  // Two roots may have one checksum.
  return Array.isArray(parts) && parts[0] === root && parts.length <= mostEntries + 1 ? parts.slice(1) : undefined;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Nothing is taken for granted of a file that somebody may have written by hand; numbers are compared when recalled. */
function isKnownFile(value: unknown): value is KnownFile {
  return Array.isArray(value) && value.length === 7 && typeof value[0] === 'string';
}

/** A file that this person alone can have written. */
function readOwnFile(file: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(descriptor);
    const mine = process.geteuid === undefined || (stat.uid === process.geteuid() && (stat.mode & 0o022) === 0);
    if (!stat.isFile() || stat.size > largest || !mine) return undefined;
    const bytes = Buffer.allocUnsafe(stat.size);
    return readSync(descriptor, bytes, 0, bytes.length, 0) === bytes.length ? bytes : undefined;
  } catch (error) {
    errnoOf(error);
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
