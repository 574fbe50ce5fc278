import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { errnoOf } from '../files/errno-of.js';
import { expandHome } from './expand-home.js';

/** Where the process was started, and whose process it is. */
export interface WorkingFolderOptions {
  /** As `process.cwd`: throws when that folder was removed since. */
  readonly cwd: () => string;
  readonly home: string;
}

/**
 * The folder that relative paths start from: what `--cwd` says, else where the process was started.
 *
 * @throws `FILE_NOT_FOUND`.
 */
export function workingFolder(flag: string | undefined, { cwd, home }: WorkingFolderOptions): string {
  if (flag === undefined) return startFolder(cwd);
  const wanted = expandHome(flag, home);
  const folder = isAbsolute(wanted) ? resolve(wanted) : resolve(startFolder(cwd), wanted);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new SkillsError('FILE_NOT_FOUND', `${folder} is no folder.`, {
    hint: 'Check what --cwd says.',
    data: { path: folder },
  });
}

function startFolder(cwd: () => string): string {
  try {
    return cwd();
  } catch (cause) {
    throw new SkillsError('FILE_NOT_FOUND', `The folder you are in cannot be found (${errnoOf(cause)}).`, {
      hint: 'It may have been removed. Go to another one, or name one with --cwd.',
      cause,
    });
  }
}
