import type { SkillsError } from '@skillpack/core';

const firstPause = 1_000;
const longestOwnPause = 60_000;
const longestPause = 10 * 60_000;

/**
 * Milliseconds before what failed so many times is tried again: as long as it asks for itself. `undefined` for one that wants
 * to be left alone for more than ten minutes: the next run asks it again.
 */
export function pauseBefore(attempt: number, { data }: SkillsError): number | undefined {
  const { retryAfter } = data;
  const asked = typeof retryAfter === 'number' && retryAfter > 0 ? retryAfter : 0;
  const pause = Math.max(asked, Math.min(firstPause * 2 ** (attempt - 1), longestOwnPause));
  return pause > longestPause ? undefined : pause;
}
