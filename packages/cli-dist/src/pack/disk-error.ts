import { SkillsError, quoted } from '@skillpack/core';

/** What an operating system said about a path, as an error that names it. */
export function diskError(error: unknown, path: string): SkillsError {
  if (SkillsError.is(error)) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new SkillsError('FILE_NOT_FOUND', `${quoted(path)} does not exist.`, { cause: error, data: { path } });
  }
  return new SkillsError('IO_ERROR', `${quoted(path)} cannot be read (${code}).`, {
    hint: code === 'EACCES' || code === 'EPERM' ? 'Check its permissions.' : undefined,
    cause: error,
    data: { path, errno: code },
  });
}
