import { existsSync } from 'node:fs';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { SkillsError, quoted } from '@skillpack/core';
import type { IgnoreRules } from './ignore-rules.js';
import { linkError } from './link-error.js';
import { pathIn, readFolder } from './read-folder.js';

/** The file that makes a folder a skill, as it should be written, and as some write it. */
export const skillFileNames = ['SKILL.md', 'skill.md'] as const;

/** Where skills are looked for. */
export interface FindOptions {
  /** Globs of folders, relative to the root; `!` takes away. `undefined`: the root if it is a skill, else `*` and `skills/*`. */
  readonly globs: readonly string[] | undefined;
  readonly rules: IgnoreRules;
}

/**
 * Finds the skill folders of a pack: what the globs match and what holds a SKILL.md.
 *
 * @returns relative to `root`, `.` for itself, in order.
 * @throws `SKILL_NOT_FOUND` when there is none, or none where a glob without wildcards says; `INVALID_PROJECT` when one
 *   lies inside another.
 */
export async function findSkillFolders(root: string, { globs, rules }: FindOptions): Promise<string[]> {
  const wanted = (globs ?? (isSkill(root, '.') ? ['.'] : ['*', 'skills/*'])).map(tidy);
  const literal = wanted.filter((glob) => !glob.startsWith('!') && !picomatch.scan(glob).isGlob);
  for (const folder of literal) {
    if (!isSkill(root, folder)) throw notASkill(folder);
  }
  const positive = wanted.filter((glob) => !glob.startsWith('!'));
  const matches = picomatch(positive, {
    dot: true,
    ignore: wanted.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)),
  });
  const found = new Set(literal.filter((folder) => folder === '.' || matches(folder)));
  const depth = Math.max(0, ...positive.map(globDepth));
  // Where nobody says otherwise, nothing is looked for in the folders of skills themselves.
  const only = globs === undefined ? 'skills' : undefined;
  await visit({ root, depth, matches, found, only }, '.', rules);
  if (found.size === 0) throw noSkills(root, wanted);
  const folders = [...found].toSorted();
  checkNesting(folders);
  return folders;
}

interface Search {
  readonly root: string;
  /** How deep a match can lie. */
  readonly depth: number;
  readonly matches: (path: string) => boolean;
  readonly found: Set<string>;
  /** The only folder that anything can match in; `undefined` when there may be more. */
  readonly only: string | undefined;
}

async function visit(search: Search, folder: string, inherited: IgnoreRules): Promise<void> {
  const level = folder === '.' ? 0 : folder.split('/').length;
  if (level >= search.depth) return;
  const { entries, rules } = readFolder(search.root, folder, inherited);
  for (const { name, kind } of entries) {
    const path = pathIn(folder, name);
    if ((kind !== 'folder' && kind !== 'link') || rules.ignores(`${path}/`)) continue;
    const matched = search.matches(path) && isSkill(search.root, path);
    if (matched && kind === 'link') throw await linkError(search.root, path);
    if (matched) search.found.add(path);
    if (kind === 'folder' && (search.only ?? path) === path) await visit(search, path, rules);
  }
}

function isSkill(root: string, folder: string): boolean {
  return skillFileNames.some((name) => existsSync(join(root, folder, name)));
}

function tidy(glob: string): string {
  const negative = glob.startsWith('!') ? '!' : '';
  const bare = glob
    .slice(negative.length)
    .replace(/^(?:\.\/+)+/u, '')
    .replace(/\/+$/u, '');
  return negative + (bare === '' ? '.' : bare);
}

function globDepth(glob: string): number {
  return glob.includes('**') ? Number.POSITIVE_INFINITY : glob.split('/').length;
}

function checkNesting(folders: readonly string[]): void {
  const known = new Set(folders);
  for (const inner of folders) {
    const outer = foldersAbove(inner).find((folder) => known.has(folder));
    if (outer === undefined) continue;
    throw new SkillsError(
      'INVALID_PROJECT',
      `The skill in ${quoted(inner)} lies inside the skill in ${quoted(outer)}.`,
      {
        hint: 'A file belongs to one skill. Move one of them, or let "skills" in skillpack.json match only one.',
        data: { outer, inner },
      },
    );
  }
}

function foldersAbove(folder: string): readonly string[] {
  if (folder === '.') return [];
  const names = folder.split('/').slice(0, -1);
  return ['.', ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
}

function notASkill(folder: string): SkillsError {
  return new SkillsError('SKILL_NOT_FOUND', `There is no SKILL.md in ${quoted(folder)}.`, {
    hint: '"skills" in skillpack.json names the folder. Correct it, or write the SKILL.md.',
    data: { folder },
  });
}

function noSkills(root: string, globs: readonly string[]): SkillsError {
  return new SkillsError('SKILL_NOT_FOUND', `${quoted(root)} holds no skill.`, {
    hint: `A skill is a folder with a SKILL.md. Looked for in ${globs.join(', ')}; "skills" in skillpack.json can say where else.`,
    data: { root, globs },
  });
}
