import { sep } from 'node:path';
import { SkillsError } from '@skillpack/core';

/**
 * What to do where a record cannot be written: another folder for records. Any other error comes back as it is.
 *
 * @param runsDir the folder of the records.
 */
export function errorForRunsFolder(error: unknown, runsDir: string | undefined): unknown {
  if (runsDir === undefined || !SkillsError.is(error, 'IO_ERROR') || error.hint !== undefined) return error;
  const { message, cause, data } = error;
  const { path } = data;
  if (typeof path !== 'string') return error;
  if (`${path}${sep}`.startsWith(`${runsDir}${sep}`) || runsDir.startsWith(`${path}${sep}`)) {
    const hint =
      'Another folder for records is named by --runs-dir, SKILLS_RUNS_DIR, or “runsDir” of your config.json.';
    return new SkillsError('IO_ERROR', message, { hint, cause, data });
  }
  return error;
}
