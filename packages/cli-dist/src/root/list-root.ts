import { readdirSync } from 'node:fs';
import { asIoError, errnoOf } from '../disk/io-error.js';

/** The names in the folder of a root's skills, as they are spelled; none where there is no folder. @throws `IO_ERROR`. */
export function listRoot(skillsDir: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(skillsDir));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return new Set();
    throw asIoError(error, skillsDir);
  }
}
