import { resolve } from 'node:path';
import { folderRoot, projectRoot, userRoot, type InstallRoot } from '@skillpack/cli-dist';
import { SkillsError } from '@skillpack/core';
import type { Places } from './places.js';

/** The options that say which root is meant. */
export interface RootChoice {
  readonly scope: 'project' | 'user' | undefined;
  readonly root: string | undefined;
}

/**
 * The root that a command works on.
 *
 * @throws `USAGE` when both options are there, or when the project would be the person's home folder: its
 * `.agents/skills` are the user's own, with records of their own.
 */
export function chooseRoot({ scope, root }: RootChoice, settings: Places): InstallRoot {
  const own = userRoot(settings.skillsHome);
  if (root !== undefined) {
    if (scope !== undefined) throw new SkillsError('USAGE', '--root and --scope cannot be used together.');
    return folderRoot(resolve(settings.cwd, root));
  }
  if (scope === 'user') return own;
  const project = projectRoot(settings.projectDir);
  if (project.skillsDir !== own.skillsDir) return project;
  throw new SkillsError('USAGE', `${settings.projectDir} is your home folder, not a project.`, {
    hint: 'Use --scope user for your own skills, or go to a project first.',
  });
}
