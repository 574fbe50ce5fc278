import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
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

/** Where scans remember the front matter that they read, so that the next one need not open files that are as they were. */
export interface ScanCachePort {
  /** Absolute; one file a root is kept in it. It is made when it is missing, for its owner alone. */
  readonly folder: string;
  /** Milliseconds since 1970, `Date.now()`: files that changed a moment before a scan are not remembered by it. */
  readonly now: () => number;
}

type Line = readonly [
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
  readonly #known: ReadonlyMap<string, Line>;
  readonly #used = new Map<string, Line>();
  #changed = false;

  /** @param root the path of the root, and how its files are read where that is not as usual. */
  constructor({ folder, now }: ScanCachePort, root: string) {
    this.#folder = folder;
    this.#root = root;
    this.#file = join(folder, `${checksum(root)}.scan`);
    this.#begun = now();
    this.#known = readLines(this.#file, root) ?? new Map<string, Line>();
  }

  /** Whether something is known of a file that may still be as it was. */
  has(place: string): boolean {
    return this.#known.has(place);
  }

  /** What was kept of a file, if it is as it was when it was read. */
  recall(place: string, stat: Stats): unknown {
    const line = this.#known.get(place);
    if (line === undefined || !isOf(line, stat)) return undefined;
    this.#used.set(place, line);
    return line[6];
  }

  /** @param kept any JSON value. */
  remember(place: string, { dev, ino, size, mtimeMs, ctimeMs }: Stats, kept: unknown): void {
    if (Math.max(mtimeMs, ctimeMs) + longestTick > this.#begun) return;
    this.#used.set(place, [place, dev, ino, size, mtimeMs, ctimeMs, kept]);
    this.#changed = true;
  }

  /** Writes down what was recalled and remembered, and nothing else. */
  save(): void {
    if (!this.#changed && this.#used.size === this.#known.size) return;
    const bytes = format(this.#used, this.#root);
    if (bytes === undefined) return;
    const temporary = `${this.#file}.${process.pid}`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
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

function isOf([, device, inode, size, modified, changed]: Line, stat: Stats): boolean {
  return (
    changed === stat.ctimeMs &&
    modified === stat.mtimeMs &&
    size === stat.size &&
    inode === stat.ino &&
    device === stat.dev
  );
}

function format(lines: ReadonlyMap<string, Line>, root: string): Uint8Array | undefined {
  if (lines.size > mostEntries) return undefined;
  const body = Buffer.from(asciiJson([root, ...lines.values()]), 'latin1');
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

function readLines(file: string, root: string): ReadonlyMap<string, Line> | undefined {
  const bytes = readOwnFile(file);
  if (bytes === undefined || !bytes.subarray(0, magic.length).equals(Buffer.from(magic))) return undefined;
  const start = magic.length + checksumLength;
  const body = bytes.subarray(start);
  if (bytes.toString('latin1', magic.length, start) !== checksum(body)) return undefined;
  const lines = parseJson(body.toString('latin1'));
  // Two roots may have one checksum.
  if (!Array.isArray(lines) || lines[0] !== root || lines.length > mostEntries + 1) return undefined;
  const known = new Map<string, Line>();
  for (let index = 1; index < lines.length; index += 1) {
    const line: unknown = lines[index];
    if (isLine(line)) known.set(line[0], line);
  }
  return known;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Nothing is taken for granted of a file that somebody may have written by hand; numbers are compared when recalled. */
function isLine(line: unknown): line is Line {
  return Array.isArray(line) && line.length === 7 && typeof line[0] === 'string';
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
