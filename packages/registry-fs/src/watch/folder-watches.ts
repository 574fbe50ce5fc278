import { statSync, watch, type FSWatcher } from 'node:fs';
import { basename } from 'node:path';
import { errnoOf } from '../errno.js';
import type { WatchedNames } from './survey-roots.js';

/** Who is told what the system says of watched folders. */
export interface WatchListener {
  /** Something of interest may have changed. */
  readonly heard: () => void;
  /** The system watches no more: nothing is watched any longer. */
  readonly exhausted: () => void;
}

interface WatchedFolder {
  readonly watcher: FSWatcher;
  /** Which folder it was when the watch began: another one may be under its path by now. */
  readonly device: number;
  readonly inode: number;
  names: WatchedNames;
}

// What a folder that cannot be watched may mean for it alone: it is gone, or it is closed to this person.
const passed = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

/** The folders that the system is asked to watch, each by itself: to watch whole trees costs more, and misses more. */
export class FolderWatches {
  readonly #folders = new Map<string, WatchedFolder>();
  readonly #listener: WatchListener;
  #closed = false;

  constructor(listener: WatchListener) {
    this.#listener = listener;
  }

  /** Watches these folders and no others. @returns whether one is among them that was not watched before. */
  set(folders: ReadonlyMap<string, WatchedNames>): boolean {
    for (const path of this.#folders.keys()) if (!folders.has(path)) this.#forget(path);
    let added = false;
    for (const [path, names] of folders) {
      if (this.#closed) return false;
      if (this.#watch(path, names)) added = true;
    }
    return added;
  }

  close(): void {
    this.#closed = true;
    for (const path of this.#folders.keys()) this.#forget(path);
  }

  #watch(path: string, names: WatchedNames): boolean {
    try {
      // Before the watch begins: when another folder comes between, the next look tells.
      const { dev: device, ino: inode } = statSync(path);
      const watched = this.#folders.get(path);
      if (watched?.device === device && watched.inode === inode) {
        watched.names = names;
        return false;
      }
      this.#forget(path);
      const watcher = watch(path, { persistent: false }, (_, name) => this.#hear(path, name));
      watcher.on('error', () => {
        this.#forget(path);
        this.#listener.heard();
      });
      this.#folders.set(path, { watcher, device, inode, names });
      return true;
    } catch (error) {
      this.#forget(path);
      if (!passed.has(errnoOf(error))) {
        this.close();
        this.#listener.exhausted();
      }
      return false;
    }
  }

  #hear(path: string, name: string | null): void {
    const names = this.#folders.get(path)?.names;
    if (names === undefined) return;
    // Of itself, a folder is told by its own name: it was moved, or is gone.
    if (name === null || names === 'all' || name === basename(path) || isNamed(name, names)) this.#listener.heard();
  }

  #forget(path: string): void {
    this.#folders.get(path)?.watcher.close();
    this.#folders.delete(path);
  }
}

function isNamed(name: string, names: ReadonlySet<string> | 'skill-file'): boolean {
  return names === 'skill-file' ? name.toLowerCase() === 'skill.md' : names.has(name);
}
