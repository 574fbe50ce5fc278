import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, sep } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { errnoOf } from '../files/errno-of.js';

/** Folders of skills as trials find them. */
export interface StagedSkills extends AsyncDisposable {
  /** Absolute, in the order of the originals. */
  readonly folders: readonly string[];
}

/** What a skill is tested by, and no part of what it is. */
const cases = 'evals';

/**
 * Skills without their cases: whoever is tested must not read what is expected, and a case that is edited is no other
 * skill. One that has cases is copied without them; others are left where they are. Disposing of it removes the copies.
 *
 * @param folders absolute.
 * @throws `IO_ERROR`.
 */
export async function stageSkills(folders: readonly string[]): Promise<StagedSkills> {
  const tested = folders.filter((folder) => existsSync(join(folder, cases)));
  if (tested.length === 0) return { folders, [Symbol.asyncDispose]: async () => undefined };
  const own = await realpath(await mkdtemp(join(tmpdir(), 'skills-eval-')));
  const remove = async (): Promise<void> => rm(own, { recursive: true, force: true });
  try {
    const staged: string[] = [];
    for (const [index, folder] of folders.entries()) {
      staged.push(tested.includes(folder) ? await copyWithoutCases(folder, join(own, String(index))) : folder);
    }
    return { folders: staged, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    if (SkillsError.is(error)) throw error;
    throw new SkillsError('IO_ERROR', `The skills cannot be copied to ${own} (${errnoOf(error)}).`, { cause: error });
  }
}

async function copyWithoutCases(folder: string, place: string): Promise<string> {
  await mkdir(place);
  // A skill has to be called as its folder is.
  const copy = join(place, basename(folder));
  const left = join(folder, cases);
  await cp(folder, copy, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    filter: (path) => path !== left && relative(folder, path).split(sep)[0] !== '.git',
  });
  return copy;
}
