import type { ErrorCode } from './codes.js';
import { errorKinds } from './error-kinds.js';

/** Whether this is a code of this version: another version, or foreign code, may have others. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorKinds, code);
}
