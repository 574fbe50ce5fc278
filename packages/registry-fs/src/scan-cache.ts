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
import { errnoOf } from './errno.js';
import { makeOwnFolder } from './make-own-folder.js';

/** Where scans remember the front matter that they read, so that the next one need not open files that are as they were. */
export interface ScanCachePort {
  /** Absolute; one file a root is kept in it. It is made when it is missing, for its owner alone. */
  readonly folder: string;
  /** Milliseconds since 1970, `Date.now()`: files that changed a moment before a scan are not remembered by it. */
  readonly now: () => number;
}

/**
 * What was kept of files, in the order in which a scan came across them. In lists of their own, places and numbers are
 * read from JSON twice as fast as in one list a file.
 */
interface KnownFiles {
  readonly places: readonly unknown[];
  /** How each file looked, in five numbers: {@link looksOf}. */
  readonly looks: readonly unknown[];
  readonly kept: readonly unknown[];
}

/** A file that was read by this scan. */
interface ReadFile {
  readonly place: string;
  readonly looks: readonly number[];
  readonly kept: unknown;
}

const magic = 'skillpack-scan 3 ';
const checksumLength = 8;
const largest = 64 * 1024 * 1024;
const mostEntries = 100_000;
const looksLength = 5;
const nothingKnown: KnownFiles = { places: [], looks: [], kept: [] };
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
  readonly #known: KnownFiles;
  /** Where those of them stand that are not asked for in that order; made when the first one is. */
  #places: ReadonlyMap<unknown, number> | undefined;
  #next = 0;
  /** What is to be written down: places in what is known, and what is new. */
  readonly #used: (number | ReadFile)[] = [];
  #changed = false;

  /** @param root the path of the root, and how its files are read where that is not as usual. */
  constructor({ folder, now }: ScanCachePort, root: string) {
    this.#folder = folder;
    this.#root = root;
    this.#file = join(folder, `${checksum(root)}.scan`);
    this.#begun = now();
    this.#known = readKnown(this.#file, root) ?? nothingKnown;
  }

  /** Where something is known of a file, which may still be as it was: {@link recall} tells. */
  find(place: string): number | undefined {
    const { places } = this.#known;
    let index: number | undefined = this.#next;
    if (places[index] !== place) {
      // The root itself comes first: every scan asks for it, and hardly any root is a skill.
      if (place === '') return undefined;
      this.#places ??= new Map(places.map((known, at) => [known, at]));
      index = this.#places.get(place);
      if (index === undefined) return undefined;
    }
    this.#next = index + 1;
    return index;
  }

  /** What was kept of a file that was found, if it is as it was when it was read. */
  recall(found: number, { dev, ino, size, mtimeMs, ctimeMs }: Stats): unknown {
    const { looks, kept } = this.#known;
    const at = found * looksLength;
    const same =
      looks[at + 4] === ctimeMs &&
      looks[at + 3] === mtimeMs &&
      looks[at + 2] === size &&
      looks[at + 1] === ino &&
      looks[at] === dev;
    if (!same) return undefined;
    this.#use(found);
    return kept[found];
  }

  /** @param kept any JSON value. */
  remember(place: string, stat: Stats, kept: unknown): void {
    if (Math.max(stat.mtimeMs, stat.ctimeMs) + longestTick > this.#begun) return;
    this.#use({ place, looks: looksOf(stat), kept });
    this.#changed = true;
  }

  // What was recalled in vain is remembered anew at once, or recalled again.
  #use(file: number | ReadFile): void {
    const last = this.#used.at(-1);
    if (last !== undefined && this.#placeOf(last) === this.#placeOf(file)) this.#used[this.#used.length - 1] = file;
    else this.#used.push(file);
  }

  #placeOf(file: number | ReadFile): unknown {
    return typeof file === 'number' ? this.#known.places[file] : file.place;
  }

  /** Writes down what was recalled and remembered, and nothing else. */
  save(): void {
    if (!this.#changed && this.#used.length === this.#known.places.length) return;
    const bytes = format(this.#usedFiles(), this.#root);
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

  #usedFiles(): KnownFiles {
    const { looks, kept } = this.#known;
    return {
      places: this.#used.map((file) => this.#placeOf(file)),
      looks: this.#used.flatMap((file): readonly unknown[] =>
        typeof file === 'number' ? looks.slice(file * looksLength, (file + 1) * looksLength) : file.looks,
      ),
      kept: this.#used.map((file) => (typeof file === 'number' ? kept[file] : file.kept)),
    };
  }
}

function removeIfThere(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    errnoOf(error);
  }
}

/**
 * What tells one state of a file from any other: device, inode, size, and, in milliseconds since 1970, with what fractions
 * the system knows, when it was modified, and when it was changed in any way, which no program can set.
 */
function looksOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): readonly number[] {
  return [dev, ino, size, mtimeMs, ctimeMs];
}

function format({ places, looks, kept }: KnownFiles, root: string): Uint8Array | undefined {
  if (places.length > mostEntries) return undefined;
  const body = Buffer.from(asciiJson([root, places, looks, kept]), 'latin1');
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
  // Imported by name, it takes twice as long to load.
  const { crc32 } = process.getBuiltinModule('node:zlib');
  return crc32(data).toString(16).padStart(checksumLength, '0');
}

function readKnown(file: string, root: string): KnownFiles | undefined {
  const bytes = readOwnFile(file);
  if (bytes === undefined || !bytes.subarray(0, magic.length).equals(Buffer.from(magic))) return undefined;
  const start = magic.length + checksumLength;
  const body = bytes.subarray(start);
  if (bytes.toString('latin1', magic.length, start) !== checksum(body)) return undefined;
  const parts = parseJson(body.toString('latin1'));
  // Two roots may have one checksum.
  return Array.isArray(parts) && parts[0] === root ? knownFilesOf(parts.slice(1)) : undefined;
}

/** Nothing is taken for granted of a file that somebody may have written by hand; what stands in it is compared when recalled. */
function knownFilesOf([places, looks, kept]: readonly unknown[]): KnownFiles | undefined {
  if (!Array.isArray(places) || !Array.isArray(looks) || !Array.isArray(kept)) return undefined;
  const whole = looks.length === places.length * looksLength && kept.length === places.length;
  return whole && places.length <= mostEntries ? { places, looks, kept } : undefined;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
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
