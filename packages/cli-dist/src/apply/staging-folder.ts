import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { SkillsError, type PackFileContent } from '@skillpack/core';
import { asIoError } from '../disk/io-error.js';
import { randomId } from '../disk/random-id.js';
import { tryToRemoveTree } from '../disk/try-to-remove-tree.js';
import { namesReadAs, rawPath, type RawName } from '../disk/raw-names.js';
import { inodeOf, statEntry } from '../disk/stat-entry.js';
import { syncFiles } from '../disk/sync-files.js';
import { takeOver } from '../disk/take-over.js';
import type { RootPaths } from '../root/root-paths.js';

/**
 * A private folder on the root's own file system in which everything is made before any of it is put in place. Nobody
 * else may enter it; what is made in it has its final modes already.
 */
export class StagingFolder {
  readonly id: string;
  readonly path: string;
  readonly #files: RawName[] = [];
  readonly #folders = new Set<RawName>();
  /** The folders that were made, by their slash-separated paths. */
  readonly #places = new Map<string, string>();

  /** @throws `IO_ERROR`, `PATH_TRAVERSAL_BLOCKED`. */
  constructor(paths: RootPaths) {
    this.id = randomId();
    this.path = join(paths.staging, this.id);
    try {
      const stats = statEntry(paths.staging);
      if (stats === undefined) mkdirSync(paths.staging, { mode: 0o700 });
      else if (!stats.isDirectory()) throw notAFolder(paths.staging);
      mkdirSync(this.path, { mode: 0o700 });
      // Made now, so that a full disk is found before the point of no return.
      mkdirSync(join(this.path, 'trash'));
    } catch (error) {
      if (!SkillsError.is(error)) this.discard();
      throw asIoError(error, this.path);
    }
  }

  /** Writes one file; its path is relative, slash-separated and was judged before. @throws `IO_ERROR`. */
  async writeFile(path: string, { file, chunks }: PackFileContent): Promise<void> {
    const target = this.#place(path);
    try {
      const descriptor = openSync(target, 'wx', file.executable ? 0o755 : 0o644);
      try {
        // What is at hand is not waited for: of thousands of small files the waiting would be a good part.
        if (Symbol.iterator in chunks) for (const chunk of chunks) writeAll(descriptor, chunk);
        else for await (const chunk of chunks) writeAll(descriptor, chunk);
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      throw asIoError(error, target);
    }
    this.#files.push(target);
  }

  /** Writes a document of ours. @throws `IO_ERROR`. */
  writeText(path: string, text: string): void {
    const target = this.#place(path);
    try {
      const descriptor = openSync(target, 'wx', 0o644);
      try {
        writeAll(descriptor, Buffer.from(text));
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      throw asIoError(error, target);
    }
    this.#files.push(target);
  }

  /**
   * Takes over something as it is: by a link where nobody goes on with the first place, so that what is written to it at
   * this moment is not lost, otherwise as a copy. Where a name was read that is not valid Unicode, it takes over all that
   * read the same.
   *
   * @throws `IO_ERROR`.
   */
  takeOver(path: string, source: string, how: 'link' | 'copy' = 'link'): void {
    const target = this.#place(path);
    try {
      for (const name of namesReadAs(source)) {
        const place = typeof name === 'string' ? target : rawPath(dirname(target), name);
        const { files, folders } = takeOver(rawPath(dirname(source), name), place, how);
        this.#files.push(...files);
        for (const folder of folders) this.#folders.add(folder);
      }
    } catch (error) {
      throw asIoError(error, source);
    }
  }

  /** The identity of something staged, by which a journal finds it again. */
  inode(path: string): string {
    const inode = inodeOf(join(this.path, path));
    if (inode === undefined) throw new Error(`nothing is staged at ${path}`);
    return inode;
  }

  /** Makes everything in it durable. @throws `IO_ERROR`. */
  async sync(): Promise<void> {
    await syncFiles({
      top: this.path,
      files: this.#files,
      folders: [...[...this.#folders].toReversed(), this.path, dirname(this.path)],
    });
  }

  /** Removes it with everything in it, or leaves that to the next command. */
  discard(): void {
    tryToRemoveTree(dirname(this.path));
  }

  #place(path: string): string {
    const slash = path.lastIndexOf('/');
    const folder = slash === -1 ? this.path : this.#makeFolder(path.slice(0, slash));
    return `${folder}${sep}${path.slice(slash + 1)}`;
  }

  #makeFolder(path: string): string {
    const known = this.#places.get(path);
    if (known !== undefined) return known;
    const folder = this.#place(path);
    try {
      if (!this.#folders.has(folder)) mkdirSync(folder);
    } catch (error) {
      throw asIoError(error, folder);
    }
    this.#folders.add(folder);
    this.#places.set(path, folder);
    return folder;
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length;) offset += writeSync(descriptor, bytes, offset);
}

function notAFolder(path: string): SkillsError {
  return new SkillsError('PATH_TRAVERSAL_BLOCKED', `${path} is not a folder of skillpack’s own.`, {
    hint: 'Remove it; then run it again.',
    data: { path },
  });
}
