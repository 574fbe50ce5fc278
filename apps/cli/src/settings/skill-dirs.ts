import { resolve } from 'node:path';
import { listedDirs } from '@skillpack/registry-fs';
import type { ConfigFile } from './config-file.js';
import { expandHome } from './expand-home.js';
import { refuseRemoteFolder } from './refuse-remote-folder.js';

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

/** Further folders of skills: `SKILLS_DIRS`, else those of the project, else the person's own. @throws `INVALID_CONFIG`. */
export function skillDirs(
  { env, project, user }: DirSources,
  { cwd, home, projectDir, skillsHome }: SettingsPaths,
): readonly string[] {
  const fromEnv = listedDirs(env['SKILLS_DIRS']);
  if (fromEnv !== undefined) return fromEnv.map((dir) => resolve(cwd, expandHome(dir, home)));
  if (project.dirs !== undefined) {
    for (const dir of project.dirs) refuseRemoteFolder(dir, '“dirs” of .agents/config.json');
    return project.dirs.map((dir) => resolve(projectDir, expandHome(dir, home)));
  }
  return (user.dirs ?? []).map((dir) => resolve(skillsHome, expandHome(dir, home)));
}
