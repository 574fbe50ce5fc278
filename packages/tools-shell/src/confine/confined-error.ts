import { quoted, SkillsError } from '@skillpack/core';
import { errnoOf } from '../errno.js';

/** That nothing is at a path. */
export function notFound(path: string): SkillsError {
  return new SkillsError('FILE_NOT_FOUND', `There is no ${quoted(path)}.`, { data: { path: path.slice(0, 1024) } });
}

/** That a path leads, or may lead, out of the folder it is confined to. */
export function blocked(path: string, problem: string): SkillsError {
  return new SkillsError('PATH_TRAVERSAL_BLOCKED', `The path ${quoted(path)} ${problem}.`, {
    hint: 'Name a file by its path below the folder, without “..” and without a link in it.',
    data: { path: path.slice(0, 1024) },
  });
}

/** What the system said of a path, in words. */
export function asConfinedError(error: unknown, path: string): SkillsError {
  const code = errnoOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return notFound(path);
  return new SkillsError('IO_ERROR', `The system does not read ${quoted(path)} (${code}).`, { cause: error });
}

/** What the system said of writing, in words. */
export function notWritten(error: unknown, path: string): SkillsError {
  if (SkillsError.is(error)) return error;
  const errno = errnoOf(error);
  return new SkillsError('IO_ERROR', `The system does not write ${quoted(path)} (${errno}).`, {
    hint: 'Nothing was changed.',
    data: { errno },
    cause: error,
  });
}
