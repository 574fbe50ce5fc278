import { quoted, SkillsError } from '@skillpack/core';

/**
 * Refuses a folder of another machine (`\\host\share`) that a project names: on Windows a look at it opens a connection
 * and signs in, which is not for a project's author to cause.
 *
 * @throws `INVALID_CONFIG`.
 */
export function refuseRemoteFolder(folder: string, name: string): void {
  if (!/^[\\/]{2}/u.test(folder)) return;
  throw new SkillsError('INVALID_CONFIG', `${name} is ${quoted(folder)}, a folder of another machine.`, {
    hint: 'Name it in your own configuration, if you mean it.',
  });
}
