import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { expandHome } from './expand-home.js';

/** Where the process was started, and whose process it is. */
export interface WorkingFolderOptions {
  readonly cwd: string;
  readonly home: string;
}

/**
 * The folder that relative paths start from: what `--cwd` says, else where the process was started.
 *
 * @throws `FILE_NOT_FOUND`.
 */
export function workingFolder(flag: string | undefined, { cwd, home }: WorkingFolderOptions): string {
  if (flag === undefined) return cwd;
  const folder = resolve(cwd, expandHome(flag, home));
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new SkillsError('FILE_NOT_FOUND', `${folder} is no folder.`, {
    hint: 'Check what --cwd says.',
    data: { path: folder },
  });
}
