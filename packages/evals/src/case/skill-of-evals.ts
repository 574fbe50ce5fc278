import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { parseSkillHead, SkillsError } from '@skillpack/core';
import { readTextFile } from './read-text-file.js';

/** The skill in whose `evals/` a file lies. */
export interface SkillAround {
  /** Absolute. */
  readonly folder: string;
  /** As it says, else that of its folder. */
  readonly name: string;
}

const maxSkillBytes = 4 * 1024 * 1024;

/** The skill that the cases of a file are about by where it lies: in the folder `evals` of one. @returns `undefined` for none. */
export async function skillOfEvals(path: string): Promise<SkillAround | undefined> {
  const evals = dirname(resolve(path));
  return basename(evals) === 'evals' ? skillAt(dirname(evals)) : undefined;
}

/** The skill whose folder it is. @returns `undefined` for none. */
export async function skillAt(folder: string): Promise<SkillAround | undefined> {
  const file = join(folder, 'SKILL.md');
  if (!(await isFile(file))) return undefined;
  const name = basename(folder);
  try {
    const parse = parseSkillHead(await readTextFile(file, maxSkillBytes), { folder: name });
    return { folder, name: parse.kind === 'skill' ? parse.skill.name : name };
  } catch (error) {
    // It is a skill all the same, of which somebody else says what is wrong with it.
    if (SkillsError.is(error)) return { folder, name };
    throw error;
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
