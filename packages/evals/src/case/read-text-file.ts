import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import { readConfined } from '../trial/folder/read-confined.js';

/**
 * The text of a file that somebody named: a link that they named is followed.
 *
 * @throws `FILE_NOT_FOUND`, also for a folder and for what is no regular file; `FILE_TOO_LARGE`; `INVALID_CASE` for what
 * is no UTF-8; `IO_ERROR`.
 */
export async function readTextFile(path: string, maxBytes: number): Promise<string> {
  let bytes: Uint8Array;
  try {
    const real = await realpath(path);
    bytes = await readConfined({ root: dirname(real), path: basename(real) }, maxBytes);
  } catch (cause) {
    if (SkillsError.is(cause) && cause.code !== 'FILE_NOT_FOUND') throw cause;
    throw new SkillsError('FILE_NOT_FOUND', `There is no file ${quoted(path)}.`, { cause, data: { path } });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SkillsError('INVALID_CASE', `${quoted(path)} is no text in UTF-8.`, {
      hint: 'Save it as UTF-8.',
      cause,
      data: { path },
    });
  }
}
