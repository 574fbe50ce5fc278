import { realpathSync } from 'node:fs';
import { isBelow } from '../confine/confined-path.js';
import { findProgram, programFolders } from './find-program.js';
import { pathOf } from './path-of.js';
import type { Environment } from './script-environment.js';

/** Where a program may be found, and where not. */
export interface ProgramSurroundings {
  readonly environment: Environment;
  /** What scripts write to. Absolute. */
  readonly workspace: string;
}

/**
 * Where a program is that is started unconfined: in a folder of the PATH that a script cannot write to, and no link into
 * such a one. `npx` and its like put folders of a project first.
 */
export function findTrustedProgram(name: string, { environment, workspace }: ProgramSurroundings): string | undefined {
  const folders = programFolders(pathOf(environment));
  const trusted = folders.filter((folder) => {
    const found = findProgram([name], [folder]);
    return found !== undefined && liesOutside(found, workspace);
  });
  return findProgram([name], trusted);
}

/** The folders of the PATH of which a script can write to none. */
export function trustedFolders({ environment, workspace }: ProgramSurroundings): readonly string[] {
  return programFolders(pathOf(environment)).filter((folder) => liesOutside(folder, workspace));
}

function liesOutside(path: string, folder: string): boolean {
  return !isBelow(realPath(folder), realPath(path)) && !isBelow(folder, path);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It is not there: whoever uses it says so.
    return path;
  }
}
