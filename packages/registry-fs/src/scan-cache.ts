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
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { errnoOf } from './errno.js';
import type { FileIdentity } from './file-identity.js';

/** Where scans remember the front matter that they read, so that the next one need not open files that are as they were. */
export interface ScanCachePort {
  /** Absolute; one file a root is kept in it. It is made when it is missing, for its owner alone. */
  readonly folder: string;
  /** Milliseconds since 1970, `Date.now()`: files that changed a moment before a scan are not remembered by it. */
  readonly now: () => number;
}

interface Entry {
  readonly identity: FileIdentity;
  readonly head: Uint8Array;
}

type Line = readonly [
  place: string,
  device: number,
  inode: number,
  size: number,
  modified: number,
  changed: number,
  length: number,
];

const magic = 'skillpack-scan 1 ';
const checksumLength = 8;
const largest = 64 * 1024 * 1024;
const mostEntries = 100_000;
// Two writes within one tick of a file system's clock leave the same times; the coarsest one, of FAT, ticks every 2 s.
const longestTick = 2000;

/**
 * What was read of the skills of one root, by their places below it. Holds the bytes of front matter as they stand in the
 * files, never what was made of them: what comes from here is parsed, limited and cleaned as if it came from the file.
 * A file of it that is damaged, of another version, or that somebody else could have written, is as good as none; one
 * that cannot be written is not.
 */
export class ScanCache {
  readonly #file: string;
  readonly #root: string;
  readonly #folder: string;
  readonly #begun: number;
  readonly #known: ReadonlyMap<string, Entry>;
  readonly #used = new Map<string, Entry>();
  #changed = false;

  constructor({ folder, now }: ScanCachePort, root: string) {
    this.#folder = folder;
    this.#root = root;
    this.#file = join(folder, `${checksum(root)}.scan`);
    this.#begun = now();
    this.#known = readEntries(this.#file, root) ?? new Map();
  }

  /** Whether something is known of a file that may still be as it was. */
  has(place: string): boolean {
    return this.#known.has(place);
  }

  /** The front matter of a file, if it is as it was when it was read. */
  recall(place: string, identity: FileIdentity): Uint8Array | undefined {
    const entry = this.#known.get(place);
    if (entry === undefined || !isSame(entry.identity, identity)) return undefined;
    this.#used.set(place, entry);
    return entry.head;
  }

  /** @param head copied; it may be part of a buffer that is used again. */
  remember(place: string, identity: FileIdentity, head: Uint8Array): void {
    if (Math.max(identity.modified, identity.changed) + longestTick > this.#begun) return;
    this.#used.set(place, { identity, head: Uint8Array.from(head) });
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

function isSame(left: FileIdentity, right: FileIdentity): boolean {
  return (
    left.changed === right.changed &&
    left.modified === right.modified &&
    left.size === right.size &&
    left.inode === right.inode &&
    left.device === right.device
  );
}

function format(entries: ReadonlyMap<string, Entry>, root: string): Uint8Array | undefined {
  if (entries.size > mostEntries) return undefined;
  const lines: Line[] = [];
  const heads: Uint8Array[] = [];
  for (const [place, { identity, head }] of entries) {
    const { device, inode, size, modified, changed } = identity;
    lines.push([place, device, inode, size, modified, changed, head.length]);
    heads.push(head);
  }
  const body = Buffer.concat([Buffer.from(`${asciiJson([root, ...lines])}\n`), ...heads]);
  const bytes = Buffer.concat([Buffer.from(`${magic}${checksum(body)}`), body]);
  return bytes.length > largest ? undefined : bytes;
}

/** JSON in which the names of folders show what nobody could see. */
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

function readEntries(file: string, root: string): ReadonlyMap<string, Entry> | undefined {
  const bytes = readOwnFile(file);
  if (bytes === undefined || !bytes.subarray(0, magic.length).equals(Buffer.from(magic))) return undefined;
  const start = magic.length + checksumLength;
  const body = bytes.subarray(start);
  if (bytes.toString('latin1', magic.length, start) !== checksum(body)) return undefined;
  const lineEnd = body.indexOf(0x0a);
  const lines = parseLines(body.toString('utf8', 0, Math.max(0, lineEnd)));
  // Two roots may have one checksum.
  if (!Array.isArray(lines) || lines.shift() !== root) return undefined;
  // Parts of a plain array are made several times faster than those of a Buffer.
  return entriesOf(lines, new Uint8Array(body.buffer, body.byteOffset + lineEnd + 1, body.length - lineEnd - 1));
}

function parseLines(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Nothing is taken for granted of a file that somebody may have written by hand. */
function entriesOf(lines: readonly unknown[], heads: Uint8Array): ReadonlyMap<string, Entry> | undefined {
  if (lines.length > mostEntries) return undefined;
  const entries = new Map<string, Entry>();
  let at = 0;
  for (const line of lines) {
    if (!isLine(line)) return undefined;
    const [place, device, inode, size, modified, changed, length] = line;
    const head = heads.subarray(at, at + length);
    entries.set(place, { identity: { device, inode, size, modified, changed }, head });
    at += length;
  }
  return at === heads.length ? entries : undefined;
}

function isLine(line: unknown): line is Line {
  if (!Array.isArray(line) || line.length !== 7 || typeof line[0] !== 'string') return false;
  for (let index = 1; index < 7; index += 1) if (typeof line[index] !== 'number') return false;
  return Number.isSafeInteger(line[6]) && line[6] >= 0;
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
