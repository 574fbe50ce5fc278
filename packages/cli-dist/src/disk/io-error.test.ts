import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { asIoError, errnoOf } from './io-error.js';

test.skipIf(process.platform === 'win32')('an error that libuv has no name for has that of the system', () => {
  const errno = -constants.errno.EDQUOT;
  const code = `Unknown system error ${errno}`;
  const error = Object.assign(new Error(`${code}: ${code}, mkdir '/x'`), { code, errno, syscall: 'mkdir', path: '/x' });
  expect(errnoOf(error)).toBe('EDQUOT');
  expect(asIoError(error)).toMatchObject({
    code: 'IO_ERROR',
    message: 'mkdir of /x failed: the disk quota is used up (EDQUOT).',
    // The cache may lie on another disk, where clearing it helps nothing.
    hint: expect.stringContaining('where the cache lies on it, `skills cache clean`'),
    data: { path: '/x', errno: 'EDQUOT', operation: 'mkdir' },
  });
});

test('an error of no system call is none of the disk', () => {
  const error = Object.assign(new Error('no'), { code: 'EDQUOT' });
  expect(errnoOf(error)).toBeUndefined();
  expect(asIoError(error)).toBe(error);
});
