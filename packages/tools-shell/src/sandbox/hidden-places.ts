import { realpathSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import { isBelow } from '../confine/confined-path.js';

/** Where others keep what is theirs, or listen. */
const shared = ['/dev', '/etc', '/home', '/opt', '/proc', '/root', '/run', '/srv', '/sys', '/tmp', '/usr', '/var/tmp'];

/** The homes of whoever runs this: what the environment says, and what the system does; where one is a link, what that leads to, too. */
export function homeFolders(): readonly string[] {
  const homes = [unlessNone(homedir), unlessNone(() => userInfo().homedir)];
  return withTargets(homes.flatMap((home) => (home !== undefined && isAbsolute(home) ? [home] : [])));
}

/** What a sandbox has to hide that lies in a folder, or is that folder; `undefined` for nothing. */
export function hiddenIn(folder: string): string | undefined {
  return [...homeFolders(), ...withTargets([...shared, tmpdir()])].find((place) => isBelow(folder, place));
}

/** @throws `TOOL_NOT_ALLOWED` for a workspace, or another folder that is shown, in which lies what a sandbox has to hide. */
export function checkHides(workspace: string): void {
  const shown = hiddenIn(workspace);
  if (shown === undefined) return;
  const which = shown === workspace ? 'is' : `holds ${quoted(shown)},`;
  throw new SkillsError('TOOL_NOT_ALLOWED', `The folder ${quoted(workspace)} ${which} what a sandbox has to hide.`, {
    hint: 'Work in a folder of its own: nothing around it is seen by a script.',
    data: { workspace },
  });
}

/** A workspace is told without a link in it. */
function withTargets(places: readonly string[]): readonly string[] {
  return [...new Set(places.flatMap((place) => [place, unlessNone(() => realpathSync(place)) ?? place]))];
}

/** Whoever runs this may have no name here and no home, as in some containers, and a home may not be there. */
function unlessNone(path: () => string): string | undefined {
  try {
    return path();
  } catch {
    return undefined;
  }
}
