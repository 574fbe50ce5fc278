import { createHash, hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readdirSync, readlinkSync, readSync, type Dirent } from 'node:fs';
import { foldPath, type Digest, type PackFile } from '@skillpack/core';
import { asIoError, errnoOf } from '../disk/io-error.js';
import { isLossyName } from '../disk/raw-names.js';
import { kindOfEntry, statEntry } from '../disk/stat-entry.js';
import { throwIfAborted } from '../root/root-lock.js';
import type { FileFinding } from './verify-report.js';

/** A skill's folder, and what should be in it. */
export interface ComparedSkill {
  /** The folder that holds the skill's. */
  readonly skillsDir: string;
  readonly skill: string;
  /** Paths begin with the skill. */
  readonly files: readonly PackFile[];
}

/** What a comparison looks for. */
export interface CompareOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What a comparison found, and how much it hashed. */
export interface Comparison {
  readonly findings: readonly FileFinding[];
  readonly files: number;
  readonly bytes: number;
}

// Windows keeps no execute bit.
const judgesModes = process.platform !== 'win32';
const chunkBytes = 1024 * 1024;

/** Compares an installed skill with the files it was installed from: every file is read and hashed, no link followed. */
export function compareSkill(subject: ComparedSkill, options: CompareOptions = {}): Comparison {
  return new SkillComparison(subject, options).run();
}

class SkillComparison {
  readonly #subject: ComparedSkill;
  readonly #options: CompareOptions;
  readonly #expected: ReadonlyMap<string, PackFile>;
  /** Expected folders, without a slash at the end. */
  readonly #folders = new Set<string>();
  /** Expected paths by the form in which their spelling does not count. */
  readonly #folded = new Map<string, string>();
  readonly #missing: Set<string>;
  readonly #findings: FileFinding[] = [];
  #files = 0;
  #bytes = 0;

  constructor(subject: ComparedSkill, options: CompareOptions) {
    this.#subject = subject;
    this.#options = options;
    this.#expected = new Map(subject.files.map((file) => [file.path, file]));
    this.#missing = new Set(this.#expected.keys());
    for (const path of this.#missing) {
      for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
        this.#folders.add(path.slice(0, slash));
      }
    }
  }

  run(): Comparison {
    const { skill } = this.#subject;
    const stats = statEntry(this.#absolute(skill));
    if (stats?.isDirectory() === true) this.#compareFolder(skill);
    else if (stats !== undefined) this.#wrongKind(skill, { expected: 'folder', actual: kindOfEntry(stats) });
    for (const path of this.#missing) this.#findings.push({ kind: 'missing', path });
    return { findings: this.#findings, files: this.#files, bytes: this.#bytes };
  }

  #absolute(path: string): string {
    // Every system takes a slash, and join() takes longer than the call of the system.
    return `${this.#subject.skillsDir}/${path}`;
  }

  #compareFolder(folder: string): void {
    for (const entry of this.#list(folder)) {
      const path = `${folder}/${entry.name}`;
      const file = this.#expected.get(path);
      if (file !== undefined) this.#compareEntry(file, entry);
      else if (this.#folders.has(path)) this.#compareSubfolder(path, entry);
      else this.#reportStranger(path, entry);
    }
  }

  #list(folder: string): readonly Dirent[] {
    try {
      return readdirSync(this.#absolute(folder), { withFileTypes: true });
    } catch (error) {
      this.#findings.push({ kind: 'unreadable', path: folder, reason: asIoError(error).message });
      return [];
    }
  }

  #compareSubfolder(path: string, entry: Dirent): void {
    if (entry.isDirectory()) this.#compareFolder(path);
    else this.#wrongKind(path, { expected: 'folder', actual: wordOf(entry) });
  }

  /** Everything expected at or below a path that is of another kind is told by this one finding. */
  #wrongKind(
    path: string,
    { expected, actual }: { readonly expected: 'file' | 'folder'; readonly actual: string },
  ): void {
    for (const missing of this.#missing) {
      if (missing === path || missing.startsWith(`${path}/`)) this.#missing.delete(missing);
    }
    if (actual === 'link') this.#findings.push({ kind: 'link', path, target: readlinkSync(this.#absolute(path)) });
    else this.#findings.push({ kind: 'kind', path, expected, actual });
  }

  #reportStranger(path: string, entry: Dirent): void {
    if (isLossyName(entry.name)) {
      this.#findings.push({ kind: 'extra', path });
      return;
    }
    const spelled = this.#spelledOtherwise(path);
    if (spelled !== undefined) {
      this.#findings.push({ kind: 'renamed', path: spelled, actual: path });
      for (const missing of this.#missing) {
        if (missing === spelled || missing.startsWith(`${spelled}/`)) this.#missing.delete(missing);
      }
    } else if (entry.isDirectory()) {
      for (const inner of this.#list(path)) this.#reportStranger(`${path}/${inner.name}`, inner);
    } else {
      this.#findings.push({ kind: 'extra', path });
    }
  }

  /** An expected path that is missing under its own name, and is this one but for its spelling. */
  #spelledOtherwise(path: string): string | undefined {
    if (this.#folded.size === 0) {
      for (const expected of [...this.#expected.keys(), ...this.#folders])
        this.#folded.set(foldPath(expected), expected);
    }
    const spelled = this.#folded.get(foldPath(path));
    if (spelled === undefined || spelled === path) return undefined;
    // Where the system tells the two apart, both may be there: then this one is a stranger.
    const parent = spelled.slice(0, spelled.lastIndexOf('/'));
    const names = this.#list(parent).map(({ name }) => `${parent}/${name}`);
    return names.includes(spelled) ? undefined : spelled;
  }

  #compareEntry(file: PackFile, entry: Dirent): void {
    throwIfAborted(this.#options.signal);
    if (!entry.isFile()) {
      this.#wrongKind(file.path, { expected: 'file', actual: wordOf(entry) });
      return;
    }
    this.#missing.delete(file.path);
    const read = this.#hashFile(file.path);
    if (read === undefined) return;
    this.#files += 1;
    this.#bytes += read.size;
    if (read.digest !== file.digest) {
      this.#findings.push({ kind: 'modified', path: file.path, expected: file.digest, actual: read.digest });
    }
    if (judgesModes && read.executable !== file.executable) {
      this.#findings.push({ kind: 'mode', path: file.path, expectedExecutable: file.executable });
    }
  }

  #hashFile(path: string): HashedFile | undefined {
    try {
      return hashRegularFile(this.#absolute(path), this.#options.signal);
    } catch (error) {
      // A link put there since the folder was listed.
      if (errnoOf(error) === undefined) throw error;
      this.#findings.push({ kind: 'unreadable', path, reason: asIoError(error).message });
      return undefined;
    }
  }
}

interface HashedFile {
  readonly digest: Digest;
  readonly size: number;
  readonly executable: boolean;
}

const buffer = Buffer.allocUnsafe(chunkBytes);

function hashRegularFile(path: string, signal: AbortSignal | undefined): HashedFile {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const descriptor = openSync(path, flags);
  try {
    const { mode } = fstatSync(descriptor);
    let read = readSync(descriptor, buffer, 0, chunkBytes, null);
    let size = read;
    let hex: string;
    if (read < chunkBytes) {
      // One call is a good deal faster than three for the many small files that skills are made of.
      hex = hash('sha256', buffer.subarray(0, read), 'hex');
    } else {
      const hashing = createHash('sha256');
      for (; read > 0; size += read) {
        throwIfAborted(signal);
        hashing.update(buffer.subarray(0, read));
        read = readSync(descriptor, buffer, 0, chunkBytes, null);
      }
      hex = hashing.digest('hex');
    }
    // 64 hexadecimal digits, as a digest is.
    return { digest: `sha256:${hex}` as Digest, size, executable: (mode & 0o111) !== 0 };
  } finally {
    closeSync(descriptor);
  }
}

function wordOf(entry: Dirent): string {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isDirectory()) return 'folder';
  return entry.isFile() ? 'file' : 'device';
}
