import { join } from 'node:path';
import { readTextIfPresent } from '../files/read-text-if-present.js';
import type { ConfigFile, ReadConfigOptions } from './config-file.js';
import { chooseCache, findPlaces } from './places.js';
import type { SettingsSource } from './settings-source.js';
import { skillDirs } from './skill-dirs.js';
import type { Settings } from './settings.js';

/** What the settings say of where skills are, and nothing of where packs come from. */
export type SkillPlaces = Pick<Settings, 'cwd' | 'projectDir' | 'skillsHome' | 'cacheDir' | 'skillDirs'>;

/**
 * The same as those of {@link readSettings}. Loads no schema unless there is a configuration file, so that skills are
 * listed at once.
 *
 * @throws `INVALID_CONFIG`, `IO_ERROR`.
 */
export async function readSkillPlaces(source: SettingsSource): Promise<SkillPlaces> {
  const { warn } = source;
  const places = findPlaces(source);
  const { projectDir, skillsHome } = places;
  const user = await readIfPresent(join(skillsHome, 'config.json'), { owner: 'user', warn });
  const own = join(projectDir, '.agents');
  const project = own === skillsHome ? {} : await readIfPresent(join(own, 'config.json'), { owner: 'project', warn });
  return {
    ...places,
    cacheDir: chooseCache(source, user, places),
    skillDirs: skillDirs({ env: source.env, project, user }, { ...places, home: source.home }).dirs,
  };
}

async function readIfPresent(path: string, options: ReadConfigOptions): Promise<ConfigFile> {
  if (readTextIfPresent(path) === undefined) return {};
  const { readConfigFile } = await import('./config-file.js');
  return readConfigFile(path, options);
}
