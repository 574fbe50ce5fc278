import { isAbsolute } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';

/**
 * The person's home folder, checked: were it empty or relative, it would lie in the current folder, and the files of
 * whoever wrote the project would be the person's own settings.
 *
 * @throws `INVALID_CONFIG`.
 */
export function homeFolder(home: string): string {
  if (isAbsolute(home)) return home;
  throw new SkillsError('INVALID_CONFIG', `Your home folder is ${quoted(home)}; expected an absolute path.`, {
    hint: 'Set HOME (on Windows USERPROFILE) to it, or remove the variable.',
    data: { home },
  });
}
