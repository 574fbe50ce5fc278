import { join } from 'node:path';
import { isPackNamePart, parseProjectFile, projectFileName } from '@skillpack/core';
import { readConfigFile, type ConfigFile } from './config-file.js';
import { chooseCache, filled, findPlaces } from './places.js';
import { readRegistrySetting } from './read-registry-setting.js';
import { readSwitch } from './read-switch.js';
import { skillDirs, type DirSources, type SettingsPaths } from './skill-dirs.js';
import { readTextIfPresent } from '../files/read-text-if-present.js';
import type { SettingsSource } from './settings-source.js';
import type { RegistrySetting, SettingOrigin, Settings } from './settings.js';

/** The options of the command line that are settings. */
export interface SettingsFlags {
  readonly registry?: string | undefined;
  readonly offline?: boolean | undefined;
}

/**
 * Reads all settings: option, else environment, else the project (`skillpack.json`, then `.agents/config.json`), else
 * the person's own `config.json`, else the default.
 *
 * @throws `USAGE`, `INVALID_CONFIG`, `INVALID_PROJECT`, `IO_ERROR`.
 */
export function readSettings(source: SettingsSource, flags: SettingsFlags = {}): Settings {
  const { env, cwd, home, warn } = source;
  const places = findPlaces(source);
  const { projectDir, skillsHome } = places;
  const user = readConfigFile(join(skillsHome, 'config.json'), { owner: 'user', warn });
  const own = join(projectDir, '.agents');
  // In the home folder the project's `.agents` is the person's own.
  const project = own === skillsHome ? {} : readConfigFile(join(own, 'config.json'), { owner: 'project', warn });
  const projectFile = readProjectRegistries(projectDir);
  const paths = { cwd, home, projectDir, skillsHome };
  return {
    ...places,
    cacheDir: chooseCache(source, user, places),
    skillDirs: skillDirs({ env, project, user }, paths).dirs,
    offline: flags.offline === true || (readSwitch(env, 'SKILLS_OFFLINE') ?? project.offline ?? user.offline ?? false),
    registry: defaultRegistry({ flag: flags.registry, env, projectFile, project, user }, paths),
    registries: new Map([
      ...organisations(user, { origin: 'user', name: 'config.json', base: skillsHome, home }),
      ...organisations(project, { origin: 'project', name: '.agents/config.json', base: projectDir, home }),
      ...organisations(
        { registries: projectFile },
        { origin: 'project', name: projectFileName, base: projectDir, home },
      ),
    ]),
    token: filled(env['SKILLS_TOKEN']),
  };
}

function readProjectRegistries(projectDir: string): Readonly<Record<string, string>> {
  const path = join(projectDir, projectFileName);
  const json = readTextIfPresent(path);
  return json === undefined ? {} : (parseProjectFile(json, path).registries ?? {});
}

interface RegistrySources extends DirSources {
  readonly flag: string | undefined;
  readonly projectFile: Readonly<Record<string, string>>;
}

function defaultRegistry(
  { flag, env, projectFile, project, user }: RegistrySources,
  { cwd, home, projectDir, skillsHome }: SettingsPaths,
): RegistrySetting | undefined {
  const candidates: readonly (readonly [string | undefined, SettingOrigin, string, string])[] = [
    [flag, 'flag', 'The registry', cwd],
    [filled(env['SKILLS_REGISTRY']), 'environment', 'SKILLS_REGISTRY', cwd],
    [projectFile['default'], 'project', `“registries.default” of ${projectFileName}`, projectDir],
    [project.registry, 'project', '“registry” of .agents/config.json', projectDir],
    [user.registry, 'user', `“registry” of ${join(skillsHome, 'config.json')}`, skillsHome],
  ];
  for (const [value, origin, name, base] of candidates) {
    if (value !== undefined) return readRegistrySetting(value, { origin, name, base, home });
  }
  return undefined;
}

function organisations(
  { registries = {} }: Pick<ConfigFile, 'registries'>,
  { origin, name, base, home }: { origin: SettingOrigin; name: string; base: string; home: string },
): [string, RegistrySetting][] {
  return Object.entries(registries)
    .filter(([organisation]) => organisation !== 'default' && isPackNamePart(organisation))
    .map(([organisation, value]) => [
      organisation,
      readRegistrySetting(value, { origin, name: `“registries.${organisation}” of ${name}`, base, home }),
    ]);
}
