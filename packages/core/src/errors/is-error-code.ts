import { errorCodes, type ErrorCode } from './codes.js';

/** Whether this is a code of this version: another version, or foreign code, may have others. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code);
}
