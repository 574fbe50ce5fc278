import { join } from 'node:path';
import type { SkillScope } from '@skillpack/core';
import type { SkillRoot } from './scan-report.js';

/** The places that roots are at, each absolute. */
export interface RootPlaces {
  readonly projectDir: string;
  /** Further roots of the project. @default [] */
  readonly alsoInProject?: readonly string[] | undefined;
  /** Roots that are neither the project's nor the person's, the strongest first. @default [] */
  readonly dirs?: readonly string[] | undefined;
  /** The folder around the person's skills, usually `~/.agents`. */
  readonly skillsHome: string;
  /** Further roots of the person. @default [] */
  readonly alsoOfUser?: readonly string[] | undefined;
  /** Roots that come with a program. @default [] */
  readonly builtin?: readonly string[] | undefined;
}

/**
 * The roots at some places, the strongest first: `.agents/skills` of the project, further ones, `skills` of the folder
 * around the person's, those that come with the program. No folder is there twice.
 */
export function rootsAt(places: RootPlaces): readonly SkillRoot[] {
  const { alsoInProject = [], dirs = [], alsoOfUser = [], builtin = [] } = places;
  const project = join(places.projectDir, '.agents', 'skills');
  const user = join(places.skillsHome, 'skills');
  const named = (paths: readonly string[], scope: SkillScope): readonly SkillRoot[] =>
    paths.map((path) => ({ path, scope, named: true }));
  const roots: readonly SkillRoot[] = [
    // In the home folder the project's skills are the person's own.
    ...(project === user ? [] : [{ path: project, scope: 'project' } as const]),
    ...named(alsoInProject, 'project'),
    ...named(dirs, 'other'),
    { path: user, scope: 'user' },
    ...named(alsoOfUser, 'user'),
    ...named(builtin, 'builtin'),
  ];
  const firsts = new Map<string, SkillRoot>();
  for (const root of roots) if (!firsts.has(root.path)) firsts.set(root.path, root);
  return [...firsts.values()];
}
