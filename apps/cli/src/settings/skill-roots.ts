import { resolve } from 'node:path';
import { SkillsError, type SkillScope } from '@skillpack/core';
import { rootsAt, type SkillRoot } from '@skillpack/registry-fs';
import type { SkillPlaces } from './read-skill-places.js';

/** Which folders of skills are wanted. */
export interface SkillRootsChoice {
  /** @default all */
  readonly scope?: SkillScope | undefined;
  /** This folder alone. */
  readonly root?: string | undefined;
}

/** What of the distribution belongs to the roots. */
export interface SkillRootsOptions extends SkillRootsChoice {
  /** The folder of the skills that come with the command. */
  readonly builtin: string;
}

/**
 * Every folder that skills are looked for in: the project's, those configured, the person's, those of the distribution.
 *
 * @throws `USAGE` when both a scope and a folder are named.
 */
export function skillRoots(settings: SkillPlaces, { builtin, scope, root }: SkillRootsOptions): readonly SkillRoot[] {
  if (root !== undefined) {
    if (scope !== undefined) throw new SkillsError('USAGE', '--root and --scope cannot be used together.');
    return [{ path: resolve(settings.cwd, root), scope: 'other', named: true }];
  }
  const roots = rootsAt({
    projectDir: resolve(settings.projectDir),
    dirs: settings.skillDirs,
    skillsHome: resolve(settings.skillsHome),
    builtin: [resolve(builtin)],
  });
  return scope === undefined ? roots : roots.filter((one) => one.scope === scope);
}
