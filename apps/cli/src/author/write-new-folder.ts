import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '@skillpack/cli-dist';
import { SkillsError } from '@skillpack/core';
import { errnoOf } from '../files/errno-of.js';

/**
 * Makes a folder with these files in it. A folder that is there already is left alone; one that could not be finished
 * is removed again.
 *
 * @throws `FOLDER_NOT_OWNED`, `IO_ERROR`.
 */
export async function writeNewFolder(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  try {
    makeFolder(dirname(folder));
    await mkdir(folder);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST') {
      throw new SkillsError('FOLDER_NOT_OWNED', `${folder} exists already; nothing was changed.`, {
        hint: 'Choose another name, or another folder with --cwd.',
        data: { path: folder },
      });
    }
    throw new SkillsError('IO_ERROR', `${folder} cannot be made (${code}).`, { cause: error });
  }
  try {
    for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text, { flag: 'wx' });
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    const code = errnoOf(cause);
    throw new SkillsError('IO_ERROR', `The files of ${folder} cannot be written (${code}).`, {
      cause,
    });
  }
}
