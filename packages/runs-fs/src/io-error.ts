import { SkillsError } from '@skillpack/core';

/** The name of the operating system's error, `ENOENT`; `undefined` for what is no such error. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is larger than this process may write',
  EIO: 'the device reports an error',
  ENOTDIR: 'a part of the path is not a folder',
  EMFILE: 'too many files are open',
};

/** What is thrown for a failure of the disk: an `IO_ERROR` that names the path. Other errors come back as they are. */
export function asIoError(error: unknown, path: string): unknown {
  const code = errnoOf(error);
  if (code === undefined || SkillsError.is(error)) return error;
  const reason = reasons[code] ?? (error as Error).message;
  return new SkillsError('IO_ERROR', `The record ${path} cannot be read or written: ${reason} (${code}).`, {
    hint: code === 'ENOSPC' || code === 'EDQUOT' ? 'Free some space on that disk, then resume the run.' : undefined,
    cause: error,
    data: { path, errno: code },
  });
}

/** Does something to the disk. @throws `IO_ERROR` where the disk refuses. */
export function withIoErrors<Value>(path: string, action: () => Value): Value {
  try {
    return action();
  } catch (error) {
    throw asIoError(error, path);
  }
}
