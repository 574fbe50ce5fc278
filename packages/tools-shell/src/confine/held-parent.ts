import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  type BigIntStats,
} from 'node:fs';
import { join, sep } from 'node:path';
import { judgePath, quoted, SkillsError, visibleText } from '@skillpack/core';
import { errnoOf } from '../errno.js';
import { asConfinedError, blocked, notFound, notWritten } from './confined-error.js';
import { readConfinedPath, type ConfinedPath } from './confined-path.js';
import { holdByDescriptor, holdByPath, holdsByDescriptor, isSameEntry, type HeldEntry } from './hold-entry.js';

/** Says which places nobody writes to. */
export interface PlaceGuard {
  /** Judges a place below the root, by its components. @throws `SkillsError` for one that is kept. */
  readonly judge: (path: ConfinedPath) => void;
  /**
   * Judges a folder on the way, and what is in the place, whatever they are called.
   *
   * @param path what was asked for. @throws `SkillsError`.
   */
  readonly judgeEntry: (entry: HeldEntry, path: ConfinedPath) => void;
}

/** The folder that a file is in, or is to be in, held. */
export interface HeldParent {
  /** What leads to the place of the file, for as long as the folder is held. */
  readonly place: string;
  /** What leads to a name beside it. */
  beside(name: string): string;
  /** What is in the place: held, a regular file, and no link. `undefined` for nothing. @throws `SkillsError`. */
  holdFile(): HeldEntry | undefined;
  /** Looks again whether the folder is where it was found. @throws `PATH_TRAVERSAL_BLOCKED`. */
  confirm(): void;
  /** Makes what lies in the folder, and the folders that were made, outlast a loss of power, as far as the system can. */
  makeDurable(): void;
}

/** Where a file is. */
export interface FilePlace {
  /** Of all that is below it nothing is a link. */
  readonly folder: string;
  /** Relative to it, or absolute. */
  readonly path: string;
}

/** How its folder is held. */
export interface HoldParentOptions {
  readonly guard: PlaceGuard;
  /** Whether missing folders are made. They are removed again where `use` fails. */
  readonly make: boolean;
  /** Whether descriptors hold them. @default as the system can */
  readonly byDescriptor?: boolean | undefined;
}

/** Folders on the way to a file: each is held. */
const deepest = 128;

/**
 * Judges where a file is as far as its path tells, before anything is opened.
 *
 * @throws `PATH_TRAVERSAL_BLOCKED` for a path that leads out, `FILE_NOT_FOUND` without the folder, `INVALID_INPUT`, what
 * `guard` throws.
 */
export function checkPlace({ folder, path }: FilePlace, guard: PlaceGuard): ConfinedPath {
  const confined = readConfinedPath(folder, path);
  const { components } = confined;
  if (components.length === 0) throw invalid(path, 'is the workspace itself');
  if (components.length > deepest) throw invalid(path, `has more than ${deepest} parts`);
  checkNames(components, path);
  guard.judge(confined);
  return confined;
}

/**
 * Goes down to the folder of a file, each folder looked up in the one that is held, and gives it to `use`. On Linux
 * nobody leads it elsewhere at any moment. Elsewhere, the folders are looked at again before something is put in place:
 * somebody who may write there, and hits the moment between the two, comes between.
 *
 * @throws `PATH_TRAVERSAL_BLOCKED` for a path that leads out or through a link, `FILE_NOT_FOUND`, `INVALID_INPUT`,
 * `IO_ERROR`, what `guard` and `use` throw.
 */
export async function withHeldParent<Result>(
  { folder, path }: FilePlace,
  { guard, make, byDescriptor = holdsByDescriptor() }: HoldParentOptions,
  use: (parent: HeldParent) => Promise<Result>,
): Promise<Result> {
  const confined = checkPlace({ folder, path }, guard);
  using way = new HeldWay(confined, path, { guard, make, byDescriptor });
  try {
    way.goDown();
    return await use(way);
  } catch (error) {
    way.removeMade();
    // What the system says is a result; a defect is none.
    throw error instanceof Error && 'syscall' in error ? notWritten(error, path) : error;
  }
}

/** The folders on the way to a file, held one in the other. */
class HeldWay implements HeldParent, Disposable {
  readonly #confined: ConfinedPath;
  readonly #asked: string;
  readonly #options: Required<HoldParentOptions>;
  readonly #hold: (path: string) => HeldEntry;
  readonly #folders: HeldEntry[] = [];
  /** Those that were not there, and what leads to them. */
  readonly #made: { readonly path: string; readonly stats: BigIntStats }[] = [];

  constructor(confined: ConfinedPath, asked: string, options: Required<HoldParentOptions>) {
    this.#confined = confined;
    this.#asked = asked;
    this.#options = options;
    this.#hold = options.byDescriptor ? holdByDescriptor : holdByPath;
  }

  get place(): string {
    return this.beside(this.#next);
  }

  beside(name: string): string {
    return join(this.#last.handle, name);
  }

  goDown(): void {
    const { root, components } = this.#confined;
    this.#enter(root);
    this.#confirmRoot();
    for (const name of components.slice(0, -1)) this.#enter(this.beside(name));
  }

  holdFile(): HeldEntry | undefined {
    const held = this.#holdIfThere(this.place);
    if (held === undefined) {
      if (this.#options.make) checkNewName(this.#next);
      return undefined;
    }
    try {
      if (held.stats.isSymbolicLink()) throw blocked(this.#asked, 'is a link');
      if (held.stats.isDirectory()) throw invalid(this.#asked, 'is a folder');
      if (!held.stats.isFile()) throw invalid(this.#asked, 'is no regular file');
      this.#options.guard.judgeEntry(held, this.#confined);
      if (!this.#options.byDescriptor) this.#judgeRealName(this.place);
      return held;
    } catch (error) {
      held[Symbol.dispose]();
      throw error;
    }
  }

  confirm(): void {
    const { root, components } = this.#confined;
    const expected = join(root, ...components.slice(0, this.#folders.length - 1));
    if (this.#options.byDescriptor) {
      if (pathOf(this.#last) !== expected) throw this.#exchanged();
      return;
    }
    this.#confirmRoot();
    for (const { handle, stats } of this.#folders) {
      if (!isSameEntry(stats, lstatSync(handle, { bigint: true, throwIfNoEntry: false }))) throw this.#exchanged();
    }
    this.#judgeRealName(expected, this.#next);
  }

  makeDurable(): void {
    const last = this.#folders.length - 1;
    for (const { handle } of this.#folders.slice(Math.max(0, last - this.#made.length))) syncFolder(handle);
  }

  /** Removes the folders that were made, if nobody else has put something in them. */
  removeMade(): void {
    for (const { path, stats } of this.#made.toReversed()) {
      try {
        if (isSameEntry(stats, lstatSync(path, { bigint: true }))) rmdirSync(path);
      } catch {
        // It is not empty any more, or no folder.
      }
    }
  }

  [Symbol.dispose](): void {
    for (const folder of this.#folders.toReversed()) folder[Symbol.dispose]();
  }

  get #last(): HeldEntry {
    const last = this.#folders.at(-1);
    if (last === undefined) throw new Error('No folder is held.');
    return last;
  }

  /** The component that comes after the folders that are held. */
  get #next(): string {
    return this.#confined.components[this.#folders.length - 1] ?? '';
  }

  /** Whether no folder above became a link since the path was read. */
  #confirmRoot(): void {
    const { root } = this.#confined;
    const reached = this.#options.byDescriptor ? pathOf(this.#last) : realPathOf(root);
    if (reached !== root) throw this.#exchanged();
  }

  /** A file system may know a place by several names: of case, of Unicode form, short ones. */
  #judgeRealName(path: string, ...names: readonly string[]): void {
    // Between two looks it may have gone.
    if (realPathOf(path) === undefined) throw this.#exchanged();
    const real = join(realpathSync.native(path), ...names);
    this.#options.guard.judge(readConfinedPath(realpathSync.native(this.#confined.root), real));
  }

  #enter(path: string): void {
    const held = this.#holdIfThere(path) ?? this.#make(path);
    this.#folders.push(held);
    if (held.stats.isSymbolicLink()) throw blocked(this.#asked, 'leads through a link');
    if (!held.stats.isDirectory()) throw invalid(this.#asked, 'leads through something that is no folder');
    this.#options.guard.judgeEntry(held, this.#confined);
  }

  #make(path: string): HeldEntry {
    if (!this.#options.make || this.#folders.length === 0) throw notFound(this.#asked);
    checkNewName(this.#next);
    this.confirm();
    const made = this.#makeUnlessThere(path);
    const held = this.#holdIfThere(path);
    if (held === undefined) throw this.#exchanged();
    if (made) this.#made.push({ path, stats: held.stats });
    return held;
  }

  #makeUnlessThere(path: string): boolean {
    try {
      mkdirSync(path);
      return true;
    } catch (error) {
      // Somebody else has made it meanwhile.
      if (errnoOf(error) === 'EEXIST') return false;
      throw notWritten(error, this.#asked);
    }
  }

  #holdIfThere(path: string): HeldEntry | undefined {
    try {
      return this.#hold(path);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      if (errnoOf(error) === 'ENAMETOOLONG') throw invalid(this.#asked, 'holds a name that is too long');
      throw asConfinedError(error, this.#asked);
    }
  }

  #exchanged(): SkillsError {
    return blocked(this.#asked, 'leads elsewhere from one moment to the next');
  }
}

function syncFolder(path: string): void {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Windows opens no folder, some may not be read, and some systems keep none by themselves: the file is in place.
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // It is gone.
    return undefined;
  }
}

/** Linux: by which path a folder is reached now. */
function pathOf({ handle }: HeldEntry): string {
  return readlinkSync(handle);
}

// Windows gives devices and streams names that look as those of files.
function checkNames(components: readonly string[], path: string): void {
  for (const name of components) {
    if (!name.isWellFormed()) throw invalid(path, 'is no Unicode');
    if (sep === '\\' && judgePath(name) !== undefined)
      throw invalid(path, 'holds a name that Windows keeps for itself');
  }
}

function checkNewName(name: string): void {
  if (visibleText(name) !== name) throw invalid(name, 'holds characters that nobody can see');
}

function invalid(path: string, problem: string): SkillsError {
  return new SkillsError('INVALID_INPUT', `${quoted(path)} ${problem}.`, { data: { path: path.slice(0, 1024) } });
}
