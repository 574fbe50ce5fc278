import { closeSync, existsSync, openSync, rmdirSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ArchiveFile, Digest } from '@skillpack/core';
import { makeFolder } from '../disk/make-folder.js';
import { renameEntry } from '../disk/rename-entry.js';
import { temporaryPath } from '../disk/temporary-files.js';
import { writeFileByRename } from '../disk/write-file-durably.js';
import { archiveFile } from './archive-file.js';
import { heldBytes, type IncomingArchive } from './archive-store.js';

/** What is expected, and where it belongs. */
export interface ArrivingPlace {
  readonly digest: Digest;
  /** In the store, whose folders are made when they are needed. */
  readonly path: string;
  /** In bytes, where somebody states it; need not be true. */
  readonly expected: number | undefined;
  /** Told of what keeps it out of the store. */
  readonly refused: (error: unknown) => void;
}

interface TemporaryFile {
  readonly descriptor: number;
  readonly path: string;
  /** The topmost folder that was made for it. */
  readonly made: string | undefined;
}

/**
 * An archive on its way into the store: in memory while it is small, else in a temporary file beside its place. Where
 * the disk does not take it, it is in memory all the same, with what was written before.
 */
export class ArrivingArchive implements IncomingArchive {
  readonly #place: ArrivingPlace;
  #memory = new ArrayBuffer(0);
  #file: TemporaryFile | undefined;
  #size = 0;
  #refused = false;
  #kept = false;

  constructor(place: ArrivingPlace) {
    this.#place = place;
  }

  get size(): number {
    return this.#size;
  }

  get inMemory(): boolean {
    return this.#file === undefined;
  }

  get archive(): Uint8Array | ArchiveFile {
    if (this.#file !== undefined) return this.#asArchive(this.#file);
    // What was read back from a disk that fails is held to the digest again, by whoever reads it.
    return this.#refused ? this.#asReadAgain() : this.#inMemory();
  }

  write(chunk: Uint8Array): void {
    const size = this.#size + chunk.length;
    const small = Math.max(size, this.#place.expected ?? 0) <= heldBytes;
    if (small || this.#refused || !this.#writeToFile(chunk)) this.#hold(chunk);
    this.#size = size;
  }

  restart(): void {
    this.#removeFile();
    this.#size = 0;
  }

  async keep(): Promise<void> {
    const { path } = this.#place;
    if (existsSync(path)) return;
    try {
      if (this.#file === undefined) {
        makeFolder(dirname(path));
        // Not flushed: whoever reads it hashes it, so what a loss of power leaves is found and fetched anew.
        writeFileByRename(path, this.#inMemory(), { durable: false });
      } else {
        renameEntry(this.#file.path, path);
        this.#kept = true;
      }
    } catch (error) {
      // The store saves time and needs no network; an install does not depend on it.
      this.#place.refused(error);
    }
  }

  close(): void {
    this.#removeFile();
  }

  #hold(chunk: Uint8Array): void {
    const size = this.#size + chunk.length;
    // Moved, not copied: what was too small is not left for the garbage collector.
    if (size > this.#memory.byteLength) this.#memory = this.#memory.transfer(Math.max(size, 2 * this.#size));
    new Uint8Array(this.#memory).set(chunk, this.#size);
  }

  /** @returns whether the disk took it; if not, everything before is in memory. @throws `IO_ERROR` when it is lost. */
  #writeToFile(chunk: Uint8Array): boolean {
    const moved = this.#file !== undefined;
    try {
      this.#file ??= makeFile(this.#place.path);
      if (!moved) writeAt(this.#file.descriptor, this.#inMemory(), 0);
      writeAt(this.#file.descriptor, chunk, this.#size);
    } catch (error) {
      this.#place.refused(error);
      this.#refused = true;
      if (moved && this.#file !== undefined) this.#memory = readBack(this.#asArchive(this.#file));
      this.#removeFile();
      return false;
    }
    this.#memory = this.#memory.transfer(0);
    return true;
  }

  #inMemory(): Uint8Array {
    return new Uint8Array(this.#memory, 0, this.#size);
  }

  #asReadAgain(): ArchiveFile {
    const bytes = this.#inMemory();
    return {
      size: this.#size,
      digest: this.#place.digest,
      read(into, position) {
        const part = bytes.subarray(position, position + into.length);
        into.set(part);
        return part.length;
      },
    };
  }

  #asArchive({ descriptor, path }: TemporaryFile): ArchiveFile {
    return archiveFile({ descriptor, path, size: this.#size, digest: this.#place.digest });
  }

  #removeFile(): void {
    if (this.#file === undefined) return;
    const { descriptor, path, made } = this.#file;
    this.#file = undefined;
    try {
      closeSync(descriptor);
      if (this.#kept) return;
      unlinkSync(path);
      if (made === undefined) return;
      for (let folder = dirname(path); folder.length >= made.length; folder = dirname(folder)) rmdirSync(folder);
    } catch {
      // Somebody has cleaned the store, another process has just kept an archive in the folder, or the disk fails: what
      // stays is removed as what a dead process leaves.
    }
  }
}

function makeFile(place: string): TemporaryFile {
  const folder = dirname(place);
  const made = makeFolder(folder);
  const path = temporaryPath(folder);
  return { descriptor: openSync(path, 'wx+', 0o644), path, made };
}

function writeAt(descriptor: number, bytes: Uint8Array, position: number): void {
  for (let written = 0; written < bytes.length;) {
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
  }
}

function readBack(file: ArchiveFile): ArrayBuffer {
  const memory = new ArrayBuffer(file.size);
  // What is missing is zero, and not of the digest.
  file.read(new Uint8Array(memory), 0);
  return memory;
}
