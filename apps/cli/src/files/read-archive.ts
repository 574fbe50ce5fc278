import { resolve } from 'node:path';
import { defaultArchiveLimits, SkillsError } from '@skillpack/core';
import { readRegularFile } from './read-regular-file.js';

/** Whether a word of the command line names an archive by its ending. */
function namesArchive(word: string): boolean {
  return /\.(?:tgz|tar\.gz|zip)$/iu.test(word);
}

/** Whether a word of the command line can only be a path: no pack and no skill is called so. */
function isPath(word: string): boolean {
  return /^(?:\.{1,2}(?:[\\/]|$)|[\\/~]|[A-Za-z]:)/u.test(word);
}

/**
 * The one archive among the words of a command line, as an absolute path; `undefined` when there is none.
 *
 * @throws `USAGE` when it does not stand alone, or a word is the path of something else.
 */
export function archiveAmong(words: readonly string[], cwd: string): string | undefined {
  const archive = words.find(namesArchive);
  const other = words.find((word) => isPath(word) && !namesArchive(word));
  if (other !== undefined) {
    throw new SkillsError('USAGE', `“${other}” is a path, but not of an archive: these end in .tgz, .tar.gz or .zip.`, {
      hint: 'Name an installed pack or skill, or an archive. The folder of a skill is checked with `skills lint`.',
      data: { path: other },
    });
  }
  if (archive === undefined) return undefined;
  if (words.length === 1) return resolve(cwd, archive);
  throw new SkillsError('USAGE', `“${archive}” is an archive; archives are checked one at a time.`, {
    hint: `Run: skills verify ${archive}`,
  });
}

/**
 * The bytes of an archive on the disk.
 *
 * @throws `FILE_NOT_FOUND`, `ARCHIVE_REFUSED` (as an install of it) for one that is too large, `IO_ERROR`.
 */
export function readArchive(path: string): Uint8Array {
  const bytes = readAtMost(path, defaultArchiveLimits.archiveBytes);
  if (bytes !== undefined) return bytes;
  throw new SkillsError('FILE_NOT_FOUND', `${path} does not exist.`, { data: { path } });
}

function readAtMost(path: string, maxBytes: number): Uint8Array | undefined {
  try {
    return readRegularFile(path, { maxBytes });
  } catch (error) {
    if (!SkillsError.is(error, 'FILE_TOO_LARGE')) throw error;
    const { size } = error.data;
    throw new SkillsError('ARCHIVE_REFUSED', `${path} has ${String(size)} bytes; an archive may have ${maxBytes}.`, {
      data: { path, reason: 'archive-too-large', size, limit: maxBytes },
    });
  }
}
