import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { lockFileName, projectFileName } from '@skillpack/core';
import type { InstalledNow } from '../install/install-report.js';
import type { InstallRoot } from '../root/install-root.js';
import { isSealedPack } from './is-sealed-pack.js';

// Loaded by every install before anything else: nothing that takes long to load is imported here.

/** Where installs remember what they saw, and what else their answer depended on. */
export interface InstallSeals {
  /** A folder that nobody else may write to; made when it is needed. */
  readonly folder: string;
  /** Whatever else an install depends on, as a text: with another one, what was seen counts for nothing. */
  readonly context: string;
}

/** Which install a seal is of. */
export interface SealSubject {
  readonly root: InstallRoot;
  readonly frozen: boolean;
  readonly replace: boolean;
}

/** An install that found nothing to do, and what it looked at. */
export interface InstallSeal {
  /** Of {@link sealedPlaces}, with links resolved; `null` for what was not there. */
  readonly real: readonly (string | null)[];
  readonly packs: readonly InstalledNow[];
  /** Relative to the folder of the skills, slash-separated. */
  readonly paths: readonly string[];
  /** {@link traceLength} numbers a path. */
  readonly traces: Float64Array;
}

/** How many numbers say whether what stands at a path is what stood there. */
export const traceLength = 5;

/** What stands at a path, as {@link writeTrace} takes it. */
export interface TracedStats {
  readonly ino: number;
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

const nothing: TracedStats = { ino: -1, size: 0, mode: 0, mtimeMs: 0, ctimeMs: 0 };

/** Notes what stands at the path of this index. */
export function writeTrace(traces: Float64Array, index: number, stats: TracedStats | undefined): void {
  const { ino, size, mode, mtimeMs, ctimeMs } = stats ?? nothing;
  traces.set([ino, size, mode, mtimeMs, ctimeMs], index * traceLength);
}

/** Whether what stands at the path of this index is what was noted. */
export function isTraced(traces: Float64Array, index: number, stats: TracedStats | undefined): boolean {
  const { ino, size, mode, mtimeMs, ctimeMs } = stats ?? nothing;
  const at = index * traceLength;
  return (
    traces[at] === ino &&
    traces[at + 1] === size &&
    traces[at + 2] === mode &&
    traces[at + 3] === mtimeMs &&
    traces[at + 4] === ctimeMs
  );
}

/** The places that must be the same places as when the seal was made, whatever links lead there. */
export function sealedPlaces({ skillsDir, baseDir }: InstallRoot): readonly string[] {
  return [skillsDir, baseDir, join(baseDir, projectFileName), join(baseDir, lockFileName)];
}

const slots = 1024;

/**
 * The file of a subject. There is a fixed number of them, so that they need no clearing up; two subjects that share one
 * take turns.
 */
export function sealPath(subject: SealSubject, { folder }: InstallSeals): string {
  let hash = 0x811c9dc5; // FNV-1a
  for (const character of textOf(subject)) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return join(folder, `${((hash >>> 0) % slots).toString(16).padStart(3, '0')}.seal`);
}

function textOf({ root, frozen, replace }: SealSubject): string {
  return JSON.stringify([root.scope, root.skillsDir, root.baseDir, frozen, replace]);
}

const formatVersion = 2;
const checksumBytes = 4;

/** The most bytes of a seal: a path and its numbers for each of the most entries that are noted. */
export const mostSealBytes = 64 * 1024 * 1024;

interface SealHeader {
  readonly formatVersion: number;
  readonly subject: string;
  readonly context: string;
  readonly real: InstallSeal['real'];
  readonly packs: InstallSeal['packs'];
  readonly pathBytes: number;
  readonly count: number;
}

/** A line of JSON, the paths with a line feed between them, the traces, and the CRC-32 of all of it. */
export function encodeSeal(seal: InstallSeal, subject: SealSubject, { context }: InstallSeals): Uint8Array {
  const { real, packs, paths, traces } = seal;
  const text = Buffer.from(paths.join('\n'));
  const facts = { real, packs, pathBytes: text.length, count: paths.length };
  const header: SealHeader = { formatVersion, subject: textOf(subject), context, ...facts };
  const numbers = new Uint8Array(traces.buffer, traces.byteOffset, traces.byteLength);
  const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), text, numbers, Buffer.alloc(checksumBytes)]);
  const body = bytes.subarray(0, -checksumBytes);
  bytes.writeUInt32LE(crc32(body), body.length);
  return bytes;
}

/**
 * Reads a seal back.
 *
 * @returns `undefined` for one of another subject, context or version, and for what is none.
 */
export function decodeSeal(file: Buffer, subject: SealSubject, { context }: InstallSeals): InstallSeal | undefined {
  const bytes = undamaged(file);
  if (bytes === undefined) return undefined;
  const end = bytes.indexOf(0x0a);
  if (end === -1) return undefined;
  const header = parseHeader(bytes.toString('utf8', 0, end));
  if (header === undefined || header.formatVersion !== formatVersion) return undefined;
  if (header.subject !== textOf(subject) || header.context !== context) return undefined;
  const { real, packs, pathBytes, count } = header;
  const numbersAt = end + 1 + pathBytes;
  if (bytes.length !== numbersAt + count * traceLength * 8) return undefined;
  const paths = bytes.toString('utf8', end + 1, numbersAt).split('\n');
  if (paths.length !== count) return undefined;
  // Copied, since numbers must be aligned.
  const traces = new Float64Array(new Uint8Array(bytes.subarray(numbersAt)).buffer);
  return { real, packs, paths, traces };
}

/** What the checksum is of. It finds damage; whoever can write the file can make one. */
function undamaged(file: Buffer): Buffer | undefined {
  if (file.length < checksumBytes) return undefined;
  const body = file.subarray(0, -checksumBytes);
  return file.readUInt32LE(body.length) === crc32(body) ? body : undefined;
}

function parseHeader(text: string): SealHeader | undefined {
  let header: Partial<SealHeader> | null;
  try {
    header = JSON.parse(text) as Partial<SealHeader> | null; // what of it is used is looked at below
  } catch {
    return undefined;
  }
  const { real, packs, pathBytes, count } = header ?? {};
  const fine =
    Array.isArray(real) &&
    real.every((place) => place === null || typeof place === 'string') &&
    Array.isArray(packs) &&
    packs.every(isSealedPack) &&
    Number.isSafeInteger(pathBytes) &&
    Number.isSafeInteger(count);
  return fine ? (header as SealHeader) : undefined; // the rest is compared whole
}
