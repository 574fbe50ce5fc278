import { join, resolve } from 'node:path';
import { cacheFolder } from './cache-folder.js';
import type { ConfigFile } from './config-file.js';
import { expandHome } from './expand-home.js';
import { findProject } from './find-project.js';
import type { SettingsSource } from './settings-source.js';
import type { Settings } from './settings.js';

/** Where a command works: what the settings say of it without what a project says. */
export type Places = Pick<Settings, 'cwd' | 'projectDir' | 'skillsHome'>;

/** The places of a command. */
export function findPlaces({ env, cwd, home }: SettingsSource): Places {
  return {
    cwd,
    projectDir: findProject(cwd, { home }),
    skillsHome: resolve(cwd, expandHome(filled(env['SKILLS_HOME']) ?? join(home, '.agents'), home)),
  };
}

/** The cache folder. Not a project's to choose: `cache clean` empties it. @param user the person's own configuration. */
export function chooseCache(source: SettingsSource, { cache }: ConfigFile, { cwd, skillsHome }: Places): string {
  const { env, home } = source;
  const own = cache === undefined ? undefined : resolve(skillsHome, expandHome(cache, home));
  return resolve(cwd, expandHome(filled(env['SKILLS_CACHE']) ?? own ?? cacheFolder(source), home));
}

/** Who names the folder of the records. */
export interface RunsDirChoice {
  /** What the command line says. */
  readonly flag: string | undefined;
  /** The person's own configuration. */
  readonly user: ConfigFile;
}

/** The folder in which runs are recorded. Not a project's to choose: it is written to. */
export function chooseRunsDir(
  { env, home }: SettingsSource,
  { flag, user: { runsDir } }: RunsDirChoice,
  { cwd, projectDir, skillsHome }: Places,
): string {
  const now = flag ?? filled(env['SKILLS_RUNS_DIR']);
  if (now !== undefined) return resolve(cwd, expandHome(now, home));
  return runsDir === undefined ? join(projectDir, '.agents', 'runs') : resolve(skillsHome, expandHome(runsDir, home));
}

/** The value of a variable that says anything. */
export function filled(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value;
}
