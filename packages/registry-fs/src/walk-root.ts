import { readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { sep } from 'node:path';
import { comparePaths } from '@skillpack/core/listing';
import { entryPath } from './entry-path.js';
import { errnoOf } from './errno.js';
import type { IgnoredReason } from './scan-report.js';

/** How far a walk goes. */
export interface WalkLimits {
  readonly depth: number;
  readonly folders: number;
}

/** What a walk comes across. */
export type WalkStep =
  | { readonly kind: 'folder' }
  | SkillStep
  | { readonly kind: 'ignored'; readonly path: string; readonly reason: IgnoredReason; readonly message: string };

/** A folder with a SKILL.md. */
export interface SkillStep extends WalkedFolder {
  readonly kind: 'skill';
  readonly fileName: string;
}

/** A folder on the way. */
export interface WalkedFolder {
  /** Absolute, as reached from the root. */
  readonly path: string;
  /** Absolute, without links. */
  readonly realPath: string;
  /** Its own name. */
  readonly name: string;
  /** Its path below the root, separated by slashes; empty for the root. */
  readonly place: string;
  readonly depth: number;
}

const skipped = new Set(['.git', 'node_modules', '.skillpack']);

/**
 * Walks the folders below a root in byte order of their names, and stops at the border of each skill. Folders that are
 * links are followed, each real folder once, so that a cycle of links ends. Synchronous, since reading directories so is
 * several times faster; the caller decides between two steps whether to let others run.
 *
 * @param isKnown whether a folder is known to hold a file that is called SKILL.md, so that it need not be listed.
 */
export function* walkRoot(
  root: string,
  limits: WalkLimits,
  isKnown: (folder: WalkedFolder) => boolean,
): Generator<WalkStep> {
  const name = root.slice(root.lastIndexOf(sep) + 1);
  const walk = new Walk(limits, isKnown);
  yield* walk.enter({ path: root, realPath: realpathSync(root), name, place: '', depth: 0 });
}

class Walk {
  readonly #limits: WalkLimits;
  readonly #isKnown: (folder: WalkedFolder) => boolean;
  readonly #seen = new Set<string>();
  #folders = 0;

  constructor(limits: WalkLimits, isKnown: (folder: WalkedFolder) => boolean) {
    this.#limits = limits;
    this.#isKnown = isKnown;
  }

  /** @returns whether the folder, or one below it, was worth a word. */
  *enter(folder: WalkedFolder): Generator<WalkStep, boolean> {
    if (this.#folders > this.#limits.folders) return true;
    this.#folders += 1;
    if (this.#folders > this.#limits.folders) {
      yield ignored(folder.path, 'too-many-folders', `The root has more than ${this.#limits.folders} folders.`);
      return true;
    }
    this.#seen.add(folder.realPath);
    yield { kind: 'folder' };
    if (this.#isKnown(folder)) {
      yield { kind: 'skill', ...folder, fileName: 'SKILL.md' };
      return true;
    }
    const names = listed(folder.path, () => readdirSync(folder.path));
    if (!Array.isArray(names)) {
      yield names;
      return true;
    }
    const fileName = skillFileOf(names);
    if (fileName !== undefined) {
      yield { kind: 'skill', ...folder, fileName };
      return true;
    }
    const worthy = names.length > 0 && (yield* this.#enterEach(folder));
    if (folder.depth !== 1 || worthy) return worthy;
    yield ignored(folder.path, 'no-skill-file', 'Neither this folder nor one below it has a SKILL.md.');
    return true;
  }

  // Most folders are skills, of which the names suffice: what kind each entry is costs as much again.
  *#enterEach(folder: WalkedFolder): Generator<WalkStep, boolean> {
    const entries = listed(folder.path, () => readdirSync(folder.path, { withFileTypes: true }));
    if (!Array.isArray(entries)) {
      yield entries;
      return true;
    }
    let worthy = false;
    for (const entry of entries.toSorted((left, right) => comparePaths(left.name, right.name))) {
      if (skipped.has(entry.name) || !(entry.isDirectory() || entry.isSymbolicLink())) continue;
      worthy = (yield* this.#enterOne(entry, folder)) || worthy;
    }
    return worthy;
  }

  *#enterOne(entry: Dirent, { path, realPath, place, depth }: WalkedFolder): Generator<WalkStep, boolean> {
    const { name } = entry;
    const inner = entryPath(path, name);
    const target = entry.isDirectory() ? (path === realPath ? inner : entryPath(realPath, name)) : followLink(inner);
    if (target === undefined) return false;
    if (typeof target !== 'string') {
      yield target;
      return true;
    }
    if (this.#seen.has(target)) {
      yield ignored(inner, 'seen-before', `It is a link to ${target}, which was read already.`);
      return true;
    }
    if (depth >= this.#limits.depth) {
      yield ignored(inner, 'too-deep', `It lies more than ${this.#limits.depth} folders below the root.`);
      return true;
    }
    const innerPlace = place === '' ? name : `${place}/${name}`;
    return yield* this.enter({ path: inner, realPath: target, name, place: innerPlace, depth: depth + 1 });
  }
}

/** What a listing gives, or why the folder cannot be listed. */
function listed<Entry>(path: string, list: () => Entry[]): Entry[] | WalkStep {
  try {
    return list();
  } catch (error) {
    return ignored(path, 'unreadable', `The system does not list it (${errnoOf(error)}).`);
  }
}

/** The real folder a link leads to; `undefined` for a link to something else. */
function followLink(path: string): string | WalkStep | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined;
  } catch (error) {
    const code = errnoOf(error);
    return code === 'ENOENT' || code === 'ELOOP'
      ? ignored(path, 'broken-link', 'It is a link that leads nowhere.')
      : ignored(path, 'unreadable', `The system does not follow this link (${code}).`);
  }
}

/** The entry that is the skill's file: `SKILL.md`, or else one that differs from it in case alone. */
function skillFileOf(names: readonly string[]): string | undefined {
  if (names.includes('SKILL.md')) return 'SKILL.md';
  const named = names.filter((name) => name.length === 'SKILL.md'.length && name.toLowerCase() === 'skill.md');
  return named.find((name) => name === 'skill.md') ?? named.toSorted()[0];
}

function ignored(path: string, reason: IgnoredReason, message: string): WalkStep & { readonly kind: 'ignored' } {
  return { kind: 'ignored', path, reason, message };
}
