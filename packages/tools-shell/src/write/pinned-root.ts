import { realpathSync } from 'node:fs';
import { foldPath, quoted, SkillsError } from '@skillpack/core';

/**
 * Remembers where a workspace really lies, from now on or from the first call on: a link that comes in the place of the
 * workspace leads nowhere.
 *
 * @returns what judges where it lies now. @throws `PATH_TRAVERSAL_BLOCKED` for another place.
 */
export function pinRoot(workspace: string): (root: string) => void {
  let pinned = realPathNow(workspace);
  return (root) => {
    pinned ??= root;
    // A file system may write one name in several ways.
    if (foldPath(root) === foldPath(pinned)) return;
    throw new SkillsError(
      'PATH_TRAVERSAL_BLOCKED',
      `The workspace was ${quoted(pinned)}, and is ${quoted(root)} now.`,
      {
        hint: 'Ask the person what became of it. Nothing was written.',
      },
    );
  };
}

function realPathNow(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // It is yet to be made.
    return undefined;
  }
}
