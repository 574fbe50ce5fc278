import { constants } from 'node:os';
import { SkillsError } from '@skillpack/core';

function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** The code of an operating system's refusal (`ENOENT`), or `undefined` for any other error. */
export function errnoOf(error: unknown): string | undefined {
  return isErrno(error) ? codeOf(error) : undefined;
}

/**
 * libuv has no name for some errors, as for a quota that is used up: then its code is a sentence. `rmSync` has none at
 * all for an error that it does not expect.
 */
function codeOf({ code, errno }: NodeJS.ErrnoException): string | undefined {
  if (code === undefined || /^E[A-Z0-9]+$/u.test(code)) return code;
  return (
    Object.entries(constants.errno).find(([, number]) => number === Math.abs(errno ?? 0))?.[0] ??
    (code === '' ? 'UNKNOWN' : code)
  );
}

/** Whether an error of {@link asIoError} says that this process or machine has no more to give, and nothing of the path. */
export function isExhausted({ data }: SkillsError): boolean {
  return data?.['errno'] === 'EMFILE' || data?.['errno'] === 'ENFILE' || data?.['errno'] === 'ENOMEM';
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the device reports an error',
  EXDEV: 'it lies on another file system',
  EBUSY: 'something uses it',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'it leads through too many links',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long for this file system',
};

/**
 * What is thrown for a failure of the disk: an `IO_ERROR` that names the path. Errors that are none of the operating
 * system's come back as they are.
 *
 * @param advice the next step, where that is another one than for any file.
 */
export function asIoError(error: unknown, path?: string, advice?: string): Error {
  if (!isErrno(error)) return error instanceof Error ? error : new Error(String(error));
  const where = path ?? error.path ?? 'a file';
  const code = codeOf(error) ?? 'unknown';
  return new SkillsError(
    'IO_ERROR',
    `${error.syscall ?? 'access'} of ${where} failed: ${reasons[code] ?? error.message.replace(/^, /u, '')} (${code}).`,
    {
      hint: advice ?? hintFor(code),
      cause: error,
      data: { path: where, errno: code, operation: error.syscall },
    },
  );
}

function hintFor(code: string): string | undefined {
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return 'Free some space on that disk (where the cache lies on it, `skills cache clean` does), then run it again.';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return 'Make the folder writable, or choose another one with --root.';
  if (code === 'EBUSY') return 'Close the program that uses it, then run it again.';
  return undefined;
}
