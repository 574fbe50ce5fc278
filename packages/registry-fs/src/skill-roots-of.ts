import { join, resolve } from 'node:path';
import { expandHome } from './expand-home.js';
import { listedDirs } from './listed-dirs.js';
import { rootsAt } from './roots-at.js';
import type { SkillRoot } from './scan-report.js';

/** Where an agent works, and for whom. */
export interface SkillSurroundings {
  /** The folder that relative paths start from; the project, unless another folder is named as such. Absolute. */
  readonly cwd: string;
  /** The person's home folder, absolute: `os.homedir()`. */
  readonly home: string;
  /** Variables: `process.env`. @default none */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Which roots an agent has besides the usual ones, or instead of them. In every path a leading `~` is the home folder. */
export interface SkillRootsOfOptions {
  /** The roots of this agent, in the place of all others, the strongest first. @default undefined, the usual ones */
  readonly only?: readonly string[] | undefined;
  /** The folder of the project. @default `cwd` */
  readonly projectDir?: string | undefined;
  /** Further roots of the project: `skills`, `.claude/skills`. @default [] */
  readonly alsoInProject?: readonly string[] | undefined;
  /** Further roots, the strongest first. @default those that `SKILLS_DIRS` lists */
  readonly dirs?: readonly string[] | undefined;
  /** The folder around the person's skills. @default `SKILLS_HOME`, else `~/.agents` */
  readonly skillsHome?: string | undefined;
  /** Further roots of the person, from the home folder: `.claude/skills`. @default [] */
  readonly alsoOfUser?: readonly string[] | undefined;
  /** Roots that come with a program, the strongest first. @default [] */
  readonly builtin?: readonly string[] | undefined;
}

/**
 * The roots that skills are looked for in, the strongest first: `.agents/skills` of the project, those that are
 * configured, `~/.agents/skills`, those that come with the program. No folder is there twice, and none is looked at.
 *
 * @example
 * ```ts
 * const roots = skillRootsOf({ cwd: process.cwd(), home: homedir(), env: process.env });
 * ```
 */
export function skillRootsOf(
  { cwd, home, env = {} }: SkillSurroundings,
  options: SkillRootsOfOptions = {},
): readonly SkillRoot[] {
  const at = (path: string, base: string): string => resolve(base, expandHome(path, home));
  const all = (paths: readonly string[] = [], base: string = cwd): readonly string[] =>
    paths.map((path) => at(path, base));
  if (options.only !== undefined) {
    return [...new Set(all(options.only))].map((path) => ({ path, scope: 'other', named: true }));
  }
  const projectDir = at(options.projectDir ?? '.', cwd);
  return rootsAt({
    projectDir,
    alsoInProject: all(options.alsoInProject, projectDir),
    dirs: all(options.dirs ?? listedDirs(env['SKILLS_DIRS'])),
    skillsHome: at(options.skillsHome ?? filled(env['SKILLS_HOME']) ?? join(home, '.agents'), cwd),
    alsoOfUser: all(options.alsoOfUser, home),
    builtin: all(options.builtin),
  });
}

function filled(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value;
}
