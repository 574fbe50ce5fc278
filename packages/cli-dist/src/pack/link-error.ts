import { readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { SkillsError, quoted } from '@skillpack/core';

/** The error for a link in a folder that is packed. */
export async function linkError(root: string, path: string): Promise<SkillsError> {
  const target = await readlink(join(root, path)).catch(() => 'something unknown');
  return new SkillsError('INVALID_PATH', `${quoted(path)} is a link to ${quoted(target)}. A pack holds no links.`, {
    hint: 'Put a copy of the file in its place, or leave the link out with a line in .skillpackignore.',
    data: { path, target },
  });
}
