import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SkillsError } from '@skillpack/core';

/**
 * The folder of a registry, checked: a misspelt one, or another, would look like a registry that has no pack at all.
 *
 * @throws `FILE_NOT_FOUND`.
 */
export function registryFolder(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) {
    if (['registry.json', 'packs'].some((name) => existsSync(join(folder, name)))) return folder;
    throw new SkillsError('FILE_NOT_FOUND', `The folder ${folder} is no registry: it has no registry.json.`, {
      hint: 'Name the folder that `skills registry build` made. A pack or a skill is installed from its folder by its path alone.',
      data: { path: folder },
    });
  }
  throw new SkillsError('FILE_NOT_FOUND', `The registry ${folder} is no folder.`, {
    hint: 'A registry is the URL or the folder that `skills registry build` made.',
    data: { path: folder },
  });
}
