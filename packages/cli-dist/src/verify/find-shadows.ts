import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { foldPath, parseSkillHead, type InstallReceipt, type PackName } from '@skillpack/core';
import { listUnowned } from './list-unowned.js';
import type { ShadowingFolder } from './verify-report.js';

/** The folder of a root's skills, and the names in it. */
interface ListedRoot {
  readonly skillsDir: string;
  readonly entries: ReadonlySet<string>;
}

/** A skill that an installed pack brought. */
interface OwnedSkill {
  readonly skill: string;
  readonly pack: PackName;
}

// As far as a scan for skills goes.
const mostLevels = 6;
const mostFolders = 2000;
/** More than front matter may have, with what may stand before it. */
const headBytes = 72 * 1024;
const skipped = new Set(['.git', 'node_modules', '.skillpack']);

/**
 * Finds the folders of a root that no pack owns and that stand in for a skill that a pack brought: by a name that
 * differs from it only in spelling, or by a SKILL.md that gives itself its name. Which of the two is meant by the name
 * is for each agent to decide, and not every one asks who owns a folder.
 *
 * @param packs what is installed.
 */
export function findShadows(
  { skillsDir, entries }: ListedRoot,
  packs: Iterable<Pick<InstallReceipt, 'name' | 'skills'>>,
): readonly ShadowingFolder[] {
  const all = [...packs];
  const owned = new Map(
    all.flatMap(({ name, skills }) => skills.map((skill) => [foldPath(skill), { skill, pack: name }] as const)),
  );
  if (owned.size === 0) return [];
  const search = new ShadowSearch(skillsDir, owned);
  return listUnowned(entries, all)
    .filter((entry) => !skipped.has(entry))
    .flatMap((entry) => search.look(entry, 1));
}

class ShadowSearch {
  readonly #skillsDir: string;
  readonly #owned: ReadonlyMap<string, OwnedSkill>;
  readonly #seen: Set<string>;

  constructor(skillsDir: string, owned: ReadonlyMap<string, OwnedSkill>) {
    this.#skillsDir = skillsDir;
    this.#owned = owned;
    // A link to an installed skill is that skill, and so is its name in any spelling where the system knows no case.
    this.#seen = new Set([...owned.values()].map(({ skill }) => identityOf(join(skillsDir, skill)) ?? skill));
  }

  /** What a folder, or those below it, stand in for. Nothing for a file, and for a folder that was looked at before. */
  look(path: string, level: number): readonly ShadowingFolder[] {
    const folder = join(this.#skillsDir, path);
    const identity = identityOf(folder);
    if (identity === undefined || this.#seen.has(identity)) return [];
    if (this.#seen.size > mostFolders + this.#owned.size) return [];
    this.#seen.add(identity);
    const named = level === 1 ? this.#owned.get(foldPath(path)) : undefined;
    if (named !== undefined) return [{ path, ...named }];
    const names = namesIn(folder);
    const file = names.find((name) => name === 'SKILL.md') ?? names.find((name) => name.toLowerCase() === 'skill.md');
    if (file !== undefined) {
      const owner = this.#owned.get(foldPath(nameIn(join(folder, file), basename(path)) ?? ''));
      return owner === undefined ? [] : [{ path, ...owner }];
    }
    if (level >= mostLevels) return [];
    return names.filter((name) => !skipped.has(name)).flatMap((name) => this.look(`${path}/${name}`, level + 1));
  }
}

/** What a folder has in common with every link to it; `undefined` where no folder is. */
function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true });
    return stats.isDirectory() ? `${stats.dev} ${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    // What cannot be listed is offered to no agent either.
    return [];
  }
}

/** The name that a skill is known by; `undefined` for a SKILL.md that cannot be read. */
function nameIn(file: string, folder: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return undefined;
    const head = Buffer.alloc(headBytes);
    const length = readSync(descriptor, head);
    const parse = parseSkillHead(head.subarray(0, length), { folder, partial: stats.size > length });
    return parse.kind === 'skill' ? parse.skill.name : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
