import { resolve } from 'node:path';
import { listedDirs } from '@skillpack/registry-fs';
import type { ConfigFile } from './config-file.js';
import { expandHome } from './expand-home.js';
import { refuseRemoteFolder } from './refuse-remote-folder.js';
import type { SettingOrigin } from './settings.js';

/** What says where further skills are. */
export interface DirSources {
  readonly env: NodeJS.ProcessEnv;
  readonly project: ConfigFile;
  readonly user: ConfigFile;
}

/** What relative paths in settings start from. */
export interface SettingsPaths {
  readonly cwd: string;
  readonly home: string;
  readonly projectDir: string;
  readonly skillsHome: string;
}

/** Further folders of skills, and who named them. */
export interface SkillDirs {
  readonly origin: Exclude<SettingOrigin, 'flag'>;
  /** Absolute, strongest first. */
  readonly dirs: readonly string[];
}

/** Further folders of skills: `SKILLS_DIRS`, else those of the project, else the person's own. @throws `INVALID_CONFIG`. */
export function skillDirs({ env, project, user }: DirSources, paths: SettingsPaths): SkillDirs {
  const { cwd, home, projectDir, skillsHome } = paths;
  const all = (dirs: readonly string[], base: string): readonly string[] =>
    dirs.map((dir) => resolve(base, expandHome(dir, home)));
  const fromEnv = listedDirs(env['SKILLS_DIRS']);
  if (fromEnv !== undefined) return { origin: 'environment', dirs: all(fromEnv, cwd) };
  if (project.dirs !== undefined) {
    for (const dir of project.dirs) refuseRemoteFolder(dir, '“dirs” of .agents/config.json');
    return { origin: 'project', dirs: all(project.dirs, projectDir) };
  }
  return { origin: 'user', dirs: all(user.dirs ?? [], skillsHome) };
}
