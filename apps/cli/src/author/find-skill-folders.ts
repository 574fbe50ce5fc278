import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathProblems, quoted, SkillsError } from '@skillpack/core';

const skillFile = /^skill\.md$/iu;
const skipped = new Set(['node_modules', '.git']);
const maxDepth = 8;

/**
 * The folders of skills that a path means: the folder of a SKILL.md, a folder that holds one, or every such folder
 * below it. Links are not followed.
 *
 * @returns absolute paths, in order.
 * @throws `FILE_NOT_FOUND` for a path that does not exist, `SKILL_NOT_FOUND` for one without any skill, `INVALID_PATH`
 *   for a folder below it whose name is not valid Unicode.
 */
export async function findSkillFolders(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new SkillsError('FILE_NOT_FOUND', `${path} does not exist.`, { cause, data: { path } });
  });
  if (!found.isDirectory()) {
    if (found.isFile() && skillFile.test(basename(path))) return [dirname(path)];
    throw new SkillsError('SKILL_NOT_FOUND', `${path} is no SKILL.md.`, {
      hint: 'Name a folder with a SKILL.md in it.',
      data: { path },
    });
  }
  const folders = await search(path, 0);
  if (folders.length > 0) return folders;
  throw new SkillsError('SKILL_NOT_FOUND', `There is no SKILL.md in ${path} or below it.`, {
    hint: 'Begin a skill with `skills init <name>`.',
    data: { path },
  });
}

async function search(folder: string, depth: number): Promise<readonly string[]> {
  if (basename(folder).includes('\uFFFD') && (await stat(folder).catch(() => undefined)) === undefined) {
    throw new SkillsError(
      'INVALID_PATH',
      `${quoted(folder)} cannot be packed: it ${pathProblems['path-not-unicode']}.`,
      {
        hint: 'Rename it.',
        data: { path: folder },
      },
    );
  }
  const entries = await readdir(folder, { withFileTypes: true });
  // A skill's own folders belong to it, whatever they hold.
  if (entries.some((entry) => entry.isFile() && skillFile.test(entry.name))) return [folder];
  if (depth === maxDepth) return [];
  const below = entries
    .filter((entry) => entry.isDirectory() && !skipped.has(entry.name))
    .map(({ name }) => name)
    .toSorted();
  const found: string[] = [];
  for (const name of below) found.push(...(await search(join(folder, name), depth + 1)));
  return found;
}
