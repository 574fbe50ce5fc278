import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { errnoOf } from '../disk/io-error.js';
import { rawNames, rawPath, type RawName } from '../disk/raw-names.js';
import { isByProduct } from '../verify/is-by-product.js';

/** What stands at a place, as far as it shows whether somebody changed it since: nothing is read. */
export interface Standing {
  readonly inode: string;
  /** By slash-separated path; the empty path for what is no folder. By-products of running a skill are not in it. */
  readonly files: ReadonlyMap<string, FileTrace>;
}

interface FileTrace {
  readonly identity: string;
  /** Nanoseconds; no program can set it, and whatever is done to a file moves it. */
  readonly changed: bigint;
  readonly names: bigint;
}

/** A {@link Standing} as a journal has it. */
export interface StandingTrace {
  readonly inode: string;
  /** SHA-256 in hexadecimal. */
  readonly trace: string;
}

/** What stands at a path now; `undefined` when nothing does. Links are not followed. @throws what the disk throws. */
export function standingAt(path: string): Standing | undefined {
  const stats = bigStats(path);
  if (stats === undefined) return undefined;
  const files = new Map<string, FileTrace>();
  collect(path, '', files);
  return { inode: stats.ino.toString(), files };
}

/**
 * Whether nothing was changed in between. A file that got another name since, as what stays of a skill or is backed up
 * does, may have a later time of change: what is written to it is not lost with this name.
 */
export function isUnchanged(before: Standing | undefined, now: Standing | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  if (before.inode !== now.inode || before.files.size !== now.files.size) return false;
  return [...now.files].every(([path, file]) => {
    const earlier = before.files.get(path);
    if (earlier?.identity !== file.identity) return false;
    return earlier.changed === file.changed || file.names > earlier.names;
  });
}

/** What a journal keeps of it. */
export function traceOf({ inode, files }: Standing): StandingTrace {
  const hashing = createHash('sha256');
  for (const [path, { identity, changed }] of [...files].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    hashing.update(`${JSON.stringify(path)} ${identity} ${changed}\n`);
  }
  return { inode, trace: hashing.digest('hex') };
}

/** Whether what stands at a path is what a journal expects there. */
export function isAsTraced(path: string, expected: StandingTrace | null): boolean {
  const standing = standingAt(path);
  if (standing === undefined || expected === null) return standing === undefined && expected === null;
  return standing.inode === expected.inode && traceOf(standing).trace === expected.trace;
}

function bigStats(path: RawName) {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function collect(place: RawName, path: string, files: Map<string, FileTrace>): void {
  const stats = bigStats(place);
  if (stats === undefined) return;
  if (stats.isDirectory()) {
    for (const name of rawNames(place)) {
      // No name begins with a slash: bytes are not taken for a name that has these characters.
      const key = typeof name === 'string' ? name : `/${name.toString('latin1')}`;
      collect(rawPath(place, name), path === '' ? key : `${path}/${key}`, files);
    }
  } else if (!isByProduct(path)) {
    const identity = `${stats.ino} ${stats.mode} ${stats.size} ${stats.mtimeNs}`;
    files.set(path, { identity, changed: stats.ctimeNs, names: stats.nlink });
  }
}
