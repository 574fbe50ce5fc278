import { join } from 'node:path';
import type { InstallSeals } from '@skillpack/cli-dist';
import { readTextIfPresent } from '../files/read-text-if-present.js';
import { chooseCache, type Places } from './places.js';
import type { SettingsSource } from './settings-source.js';

/** The command whose installs are remembered. */
export interface SealsSource extends SettingsSource {
  /** Of the command: another one may decide otherwise. */
  readonly version: string;
}

/**
 * Where installs are remembered, and what of the settings they depend on. Nothing takes long to load as long as the
 * person has no configuration file.
 *
 * @throws `INVALID_CONFIG`, `IO_ERROR`.
 */
export async function chooseSeals(source: SealsSource, places: Places): Promise<InstallSeals> {
  const { env, version, warn } = source;
  const own = join(places.skillsHome, 'config.json');
  const texts = [own, join(places.projectDir, '.agents', 'config.json')].map(readTextIfPresent);
  const user =
    texts[0] === undefined ? {} : (await import('./config-file.js')).readConfigFile(own, { owner: 'user', warn });
  const variables = Object.entries(env).filter(([name]) => name.startsWith('SKILLS_') && name !== 'SKILLS_TOKEN');
  return {
    folder: join(chooseCache(source, user, places), 'seals'),
    context: JSON.stringify([version, texts, variables.toSorted(([left], [right]) => (left < right ? -1 : 1))]),
  };
}
