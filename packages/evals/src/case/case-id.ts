import { judgePath } from '@skillpack/core';

/** What is told to whoever gives an id that no case or suite can have. */
export const caseIdRule =
  'a letter or a digit, then up to 99 letters, digits, dots, hyphens and underscores, and no name of a device, as con';

/**
 * Whether a case or a suite may be called so: files of a run are named by it, on any disk. A letter or a digit, then up to
 * 99 letters, digits, `.`, `-` and `_`; no dot at the end, and none of the names that Windows keeps for devices.
 */
export function isCaseId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u.test(text) && judgePath(text) === undefined;
}
