import { readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { comparePaths } from '@skillpack/core';
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
  | { readonly kind: 'skill'; readonly path: string; readonly realPath: string; readonly fileName: string }
  | { readonly kind: 'ignored'; readonly path: string; readonly reason: IgnoredReason; readonly message: string };

interface Folder {
  readonly path: string;
  readonly realPath: string;
  readonly depth: number;
}

const skipped = new Set(['.git', 'node_modules', '.skillpack']);

/**
 * Walks the folders below a root in byte order of their names, and stops at the border of each skill. Folders that are
 * links are followed, each real folder once, so that a cycle of links ends. Synchronous, since reading directories so is
 * several times faster; the caller decides between two steps whether to let others run.
 */
export function* walkRoot(root: string, limits: WalkLimits): Generator<WalkStep> {
  const walk = new Walk(limits);
  yield* walk.enter({ path: root, realPath: realpathSync(root), depth: 0 });
}

class Walk {
  readonly #limits: WalkLimits;
  readonly #seen = new Set<string>();
  #folders = 0;

  constructor(limits: WalkLimits) {
    this.#limits = limits;
  }

  /** @returns whether the folder, or one below it, was worth a word. */
  *enter(folder: Folder): Generator<WalkStep, boolean> {
    if (this.#folders > this.#limits.folders) return true;
    this.#folders += 1;
    if (this.#folders > this.#limits.folders) {
      yield ignored(folder.path, 'too-many-folders', `The root has more than ${this.#limits.folders} folders.`);
      return true;
    }
    this.#seen.add(folder.realPath);
    yield { kind: 'folder' };
    const entries = listFolder(folder.path);
    if (!Array.isArray(entries)) {
      yield entries;
      return true;
    }
    const fileName = skillFileOf(entries);
    if (fileName !== undefined) {
      yield { kind: 'skill', path: folder.path, realPath: folder.realPath, fileName };
      return true;
    }
    const worthy = yield* this.#enterEach(entries, folder);
    if (folder.depth !== 1 || worthy) return worthy;
    yield ignored(folder.path, 'no-skill-file', 'Neither this folder nor one below it has a SKILL.md.');
    return true;
  }

  *#enterEach(entries: readonly Dirent[], { path, realPath, depth }: Folder): Generator<WalkStep, boolean> {
    let worthy = false;
    for (const entry of entries) {
      if (skipped.has(entry.name) || !(entry.isDirectory() || entry.isSymbolicLink())) continue;
      const inner = join(path, entry.name);
      const target = entry.isDirectory() ? join(realPath, entry.name) : followLink(inner);
      if (target === undefined) continue;
      if (typeof target !== 'string') {
        yield target;
        worthy = true;
      } else if (this.#seen.has(target)) {
        yield ignored(inner, 'seen-before', `It is a link to ${target}, which was read already.`);
        worthy = true;
      } else if (depth >= this.#limits.depth) {
        yield ignored(inner, 'too-deep', `It lies more than ${this.#limits.depth} folders below the root.`);
        worthy = true;
      } else {
        worthy = (yield* this.enter({ path: inner, realPath: target, depth: depth + 1 })) || worthy;
      }
    }
    return worthy;
  }
}

/** The entries of a folder in byte order, or why it cannot be listed. */
function listFolder(path: string): Dirent[] | WalkStep {
  try {
    return readdirSync(path, { withFileTypes: true }).toSorted((left, right) => comparePaths(left.name, right.name));
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
function skillFileOf(entries: readonly Dirent[]): string | undefined {
  const named = entries.filter(({ name }) => name.toLowerCase() === 'skill.md').map(({ name }) => name);
  return named.find((name) => name === 'SKILL.md') ?? named.find((name) => name === 'skill.md') ?? named[0];
}

function ignored(path: string, reason: IgnoredReason, message: string): WalkStep & { readonly kind: 'ignored' } {
  return { kind: 'ignored', path, reason, message };
}
