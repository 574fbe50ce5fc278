import { lstatSync, realpathSync, statSync, type BigIntStats } from 'node:fs';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { foldPath, quoted, SkillsError } from '@skillpack/core';
import type { ConfinedPath } from '../confine/confined-path.js';
import { isSameEntry, type HeldEntry } from '../confine/hold-entry.js';
import type { PlaceGuard } from '../confine/held-parent.js';
import { protectedFileNames, protectedInHome, protectedNames } from './protected-names.js';
import { isShortNameOf } from './short-name.js';

/** Which places are protected, beside those that always are. */
export interface ProtectedOptions {
  /** A name, in any folder, or with `/` a path below the workspace. */
  readonly protectedPaths: readonly string[];
  /** Absolute paths. Asked for each time. */
  readonly protected: () => readonly string[];
  /** Absolute: the folders of the person whose machine it is. */
  readonly homes: readonly string[];
}

/** Judges places by what programs do with what lies there, whatever case or Unicode form their names are written in. */
export class ProtectedPlaces {
  readonly #names: ReadonlySet<string>;
  readonly #paths: readonly (readonly string[])[];
  readonly #options: ProtectedOptions;

  /** @throws `USAGE` for a protected path that is none. */
  constructor(options: ProtectedOptions) {
    const further = options.protectedPaths.map(componentsOf);
    this.#names = new Set([...protectedNames, ...further.filter(({ length }) => length === 1).flat()]);
    this.#paths = further.filter(({ length }) => length > 1);
    this.#options = options;
  }

  /** A guard for one call. @throws `USAGE` for a folder that is not absolute. */
  guard(): PlaceGuard {
    const named = this.#options.protected();
    const relative = [...named, ...this.#options.homes].find((path) => !isAbsolute(path));
    if (relative !== undefined) {
      throw new SkillsError('USAGE', `The protected folder ${quoted(relative)} is not an absolute path.`);
    }
    const paths = named.flatMap((path) => [path, realPathOf(path)]).map(foldedParts);
    const entries = named.flatMap(entryAt);
    const homes = this.#options.homes.flatMap((home) => [home, realPathOf(home)]).map(foldedParts);
    return {
      judge: (path) => {
        const below = path.components.map(foldName);
        const whole = foldedParts(join(path.root, ...path.components));
        const kept =
          below.some((name) => this.#isNamed(name)) ||
          protectedFileNames.includes(below.at(-1) ?? '') ||
          this.#paths.some((parts) => startsWith(below, parts)) ||
          // Nor a file in the place of a folder that is yet to be made.
          paths.some((parts) => startsWith(whole, parts) || startsWith(parts, whole)) ||
          homes.some((home) => isProtectedAtHome({ whole, root: foldedParts(path.root), home }));
        if (kept) throw isProtected(path);
      },
      judgeEntry: (held, path) => {
        const kept = entries.find((entry) => isSameEntry(held.stats, entry.stats));
        if (kept !== undefined) throw isProtected({ root: kept.path, components: [] });
        if (held.stats.isDirectory() && isRepository(held)) throw isProtected(path);
      },
    };
  }

  #isNamed(name: string): boolean {
    return this.#names.has(name) || (name.includes('~') && [...this.#names].some((kept) => isShortNameOf(name, kept)));
  }
}

/** Below a home that is in the workspace. A workspace within one of its folders is somebody's choice. */
function isProtectedAtHome({
  whole,
  root,
  home,
}: Readonly<Record<'whole' | 'root' | 'home', readonly string[]>>): boolean {
  if (!startsWith(home, root) || !startsWith(whole, home)) return false;
  const first = whole[home.length] ?? '';
  return first.startsWith('.') || protectedInHome.includes(first);
}

function componentsOf(path: string): readonly string[] {
  const parts = path.split(/[\\/]/u).filter((part) => part !== '');
  if (!isAbsolute(path) && parts.length > 0 && !parts.includes('..') && !parts.includes('.'))
    return parts.map(foldName);
  throw new SkillsError('USAGE', `The protected path ${quoted(path)} is no path below the workspace.`, {
    hint: 'Name a file or folder that is protected wherever it is, or with / a path below the workspace.',
  });
}

function foldedParts(path: string): readonly string[] {
  return path
    .split(sep)
    .filter((part) => part !== '')
    .map(foldName);
}

/** Windows leaves out dots and spaces at the end of a name, and takes what is behind a colon for a part of the file. */
function foldName(name: string): string {
  return foldPath(name)
    .replace(/(?<=.):.*$/su, '')
    .replace(/[. ]+$/u, '');
}

/** As Git finds it: also a bare one, of whatever name, and the files of one for a further working folder. */
function isRepository({ handle }: HeldEntry): boolean {
  const holds = (name: string): boolean => lstatSync(join(handle, name), { throwIfNoEntry: false }) !== undefined;
  return holds('HEAD') && (holds('commondir') || (holds('objects') && holds('refs')));
}

function startsWith(parts: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((part, index) => part === parts[index]);
}

/** Without the links in it, as far as it is there. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPathOf(above), basename(path));
  }
}

/** What cannot be looked at is known by its name alone. */
function entryAt(path: string): readonly { readonly path: string; readonly stats: BigIntStats }[] {
  try {
    return [{ path, stats: statSync(path, { bigint: true }) }];
  } catch {
    return [];
  }
}

function isProtected({ root, components }: ConfinedPath): SkillsError {
  const path = components.length === 0 ? root : components.join('/');
  return new SkillsError('FILE_PROTECTED', `${quoted(path)} is in a protected place: no tool writes there.`, {
    hint: 'Ask the person to change it. Programs run what lies there, or take their permissions from it.',
    data: { path: path.slice(0, 1024) },
  });
}
