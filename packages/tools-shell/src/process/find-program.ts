import { constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const windows = process.platform === 'win32';

/** The folders in which programs are looked for: those of a PATH that are absolute, since any other one is a folder that a script's author may fill. */
export function programFolders(path: string | undefined): readonly string[] {
  return (path ?? '').split(delimiter).filter(isAbsolute);
}

/** Where the first program of these names is, in the order of the names; `undefined` when there is none. */
export function findProgram(names: readonly string[], folders: readonly string[]): string | undefined {
  for (const name of names) {
    for (const folder of folders) {
      const file = join(folder, windows ? `${name}.exe` : name);
      if (isProgram(file)) return file;
    }
  }
  return undefined;
}

function isProgram(file: string): boolean {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    const executable = constants.S_IXUSR | constants.S_IXGRP | constants.S_IXOTH;
    return stats?.isFile() === true && (windows || (stats.mode & executable) !== 0);
  } catch {
    // A folder that cannot be read offers nothing.
    return false;
  }
}
