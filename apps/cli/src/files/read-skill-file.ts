import { defaultArchiveLimits, SkillsError } from '@skillpack/core';
import { readRegularFile } from './read-regular-file.js';

/**
 * The bytes of a SKILL.md; of one that is longer than a skill may be, too, so that the diagnostics can say so.
 *
 * @throws `SKILL_NOT_FOUND`, `FILE_TOO_LARGE` for a file that no pack could hold, `IO_ERROR`.
 */
export function readSkillFile(path: string): Uint8Array {
  const bytes = readRegularFile(path, { maxBytes: defaultArchiveLimits.fileBytes });
  if (bytes !== undefined) return bytes;
  throw new SkillsError('SKILL_NOT_FOUND', `${path} is gone.`, { data: { path } });
}
