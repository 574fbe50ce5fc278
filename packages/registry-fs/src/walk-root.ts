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
  /** Absolute, without links: links to folders outside of it are not followed. @default undefined */
  readonly within?: string | undefined;
}

/** What a walk comes across. */
export type WalkStep<Known> =
  /** A folder that holds others, perhaps. */
  { readonly kind: 'folder' } | SkillStep<Known> | IgnoredStep;

/** A folder with a SKILL.md. */
export interface SkillFolder {
  readonly folder: WalkedFolder;
  readonly fileName: string;
}

/** A folder with a SKILL.md, and what was known of it. */
export interface SkillStep<Known> extends SkillFolder {
  readonly kind: 'skill';
  readonly known: Known | undefined;
}

/** A folder of which nothing is made. */
export interface IgnoredStep {
  readonly kind: 'ignored';
  readonly path: string;
  readonly reason: IgnoredReason;
  readonly message: string;
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

/** A folder whose entries are being walked. */
interface Level {
  readonly folder: WalkedFolder;
  readonly entries: readonly Dirent[];
  next: number;
  /** Whether something below it was worth a word. */
  worthy: boolean;
}

const skipped = new Set(['.git', 'node_modules', '.skillpack']);
const folderStep = { kind: 'folder' } as const;

/** A walk of the folders below a root. */
export class RootWalk<Known> {
  readonly #root: string;
  readonly #limits: WalkLimits;
  readonly #recall: (folder: WalkedFolder) => Known | undefined;
  /** The real paths of the folders that were entered. */
  readonly #entered: string[] = [];
  /** The same as a set, once a link was followed: without one, no folder is reached twice. */
  #seen: Set<string> | undefined;
  /** From the root to where the walk is. */
  readonly #levels: Level[] = [];
  #full = false;

  /** @param recall what is known of a folder that holds a file which is called SKILL.md: it need not be listed. */
  constructor(root: string, limits: WalkLimits, recall: (folder: WalkedFolder) => Known | undefined) {
    this.#root = root;
    this.#limits = limits;
    this.#recall = recall;
  }

  /** How many folders were looked at. */
  get folders(): number {
    return this.#entered.length;
  }

  /** The real paths of the folders that were looked at. */
  get entered(): readonly string[] {
    return this.#entered;
  }

  /**
   * Walks the folders in byte order of their names, and stops at the border of each skill. Folders that are links are
   * followed, each real folder once, so that a cycle of links ends. Synchronous, since reading directories so is several
   * times faster; the caller decides between two steps whether to let others run.
   */
  *steps(): Generator<WalkStep<Known>, void> {
    const name = this.#root.slice(this.#root.lastIndexOf(sep) + 1);
    const first = this.#enter({ path: this.#root, realPath: realpathSync(this.#root), name, place: '', depth: 0 });
    if (first !== undefined) yield first;
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      const entry = level.entries[level.next];
      level.next += 1;
      const step = entry === undefined ? this.#leave(level) : this.#visit(entry, level);
      if (step !== undefined) yield step;
    }
  }

  #enter(folder: WalkedFolder): WalkStep<Known> | undefined {
    if (this.#full) return undefined;
    if (this.#entered.length >= this.#limits.folders) {
      this.#full = true;
      return ignored(folder.path, 'too-many-folders', `The root has more than ${this.#limits.folders} folders.`);
    }
    this.#entered.push(folder.realPath);
    this.#seen?.add(folder.realPath);
    const known = this.#recall(folder);
    if (known !== undefined) return { kind: 'skill', folder, fileName: 'SKILL.md', known };
    try {
      return this.#list(folder);
    } catch (error) {
      return ignored(folder.path, 'unreadable', `The system does not list it (${errnoOf(error)}).`);
    }
  }

  // Nearly all folders but the root are skills, of which the names suffice: what kind each entry is costs as much again.
  #list(folder: WalkedFolder): WalkStep<Known> {
    const withKinds = (): Dirent[] => readdirSync(folder.path, { withFileTypes: true });
    const listed = folder.depth === 0 ? withKinds() : undefined;
    const names = listed?.map(({ name }) => name) ?? readdirSync(folder.path);
    const fileName = skillFileOf(names);
    if (fileName !== undefined) return { kind: 'skill', folder, fileName, known: undefined };
    const entries = names.length === 0 ? [] : (listed ?? withKinds()).toSorted(byName);
    this.#levels.push({ folder, entries, next: 0, worthy: false });
    return folderStep;
  }

  #leave({ folder, worthy }: Level): WalkStep<Known> | undefined {
    this.#levels.pop();
    const outer = this.#levels.at(-1);
    if (outer !== undefined && (worthy || folder.depth === 1)) outer.worthy = true;
    if (worthy || folder.depth !== 1) return undefined;
    return ignored(folder.path, 'no-skill-file', 'Neither this folder nor one below it has a SKILL.md.');
  }

  #visit(entry: Dirent, level: Level): WalkStep<Known> | undefined {
    const { name } = entry;
    const isFolder = entry.isDirectory();
    if (!(isFolder || entry.isSymbolicLink()) || skipped.has(name)) return undefined;
    const { path, realPath, place, depth } = level.folder;
    const inner = entryPath(path, name);
    const target = isFolder ? (path === realPath ? inner : entryPath(realPath, name)) : followLink(inner);
    if (target === undefined) return undefined;
    if (!isFolder) this.#seen ??= new Set(this.#entered);
    const held = this.#levels.length;
    const step =
      typeof target === 'string'
        ? (this.#refusal(inner, target, depth) ??
          this.#enter({
            path: inner,
            realPath: target,
            name,
            place: place === '' ? name : `${place}/${name}`,
            depth: depth + 1,
          }))
        : target;
    // A folder that is walked now says at its end whether it was worth a word.
    if (this.#levels.length === held) level.worthy = true;
    return step;
  }

  #refusal(path: string, target: string, depth: number): IgnoredStep | undefined {
    if (this.#seen?.has(target) === true) {
      return ignored(path, 'seen-before', `It is a link to ${target}, which was read already.`);
    }
    const { within } = this.#limits;
    if (within !== undefined && target !== within && !target.startsWith(within + sep)) {
      return ignored(path, 'link-outside', `It is a link that leads out of ${within}.`);
    }
    if (depth < this.#limits.depth) return undefined;
    return ignored(path, 'too-deep', `It lies more than ${this.#limits.depth} folders below the root.`);
  }
}

function byName({ name: left }: Dirent, { name: right }: Dirent): number {
  return comparePaths(left, right);
}

/** The real folder a link leads to; `undefined` for a link to something else. */
function followLink(path: string): string | IgnoredStep | undefined {
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

function ignored(path: string, reason: IgnoredReason, message: string): IgnoredStep {
  return { kind: 'ignored', path, reason, message };
}
