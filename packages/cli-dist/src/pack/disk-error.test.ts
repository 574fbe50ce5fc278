import { expect, test } from 'vitest';
import { SkillsError } from '@skillpack/core';
import { diskError } from './disk-error.js';

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

test.for([
  ['EACCES', 'IO_ERROR', '“/a/b” cannot be read (EACCES).'],
  ['EIO', 'IO_ERROR', '“/a/b” cannot be read (EIO).'],
  ['ENOENT', 'FILE_NOT_FOUND', '“/a/b” does not exist.'],
] as const)('what the system says as %s names the file', ([errno, code, message]) => {
  const cause = systemError(errno);
  expect(diskError(cause, '/a/b')).toMatchObject({ code, message, cause });
});

test('an error that says it already stays as it is', () => {
  const error = new SkillsError('INVALID_PATH', 'A link.');
  expect(diskError(error, '/a/b')).toBe(error);
});
