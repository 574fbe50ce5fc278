import { join } from 'node:path';
import { readConfigFile, type AgentLimits, type ConfigFile } from './config-file.js';
import { chooseCache, chooseRunsDir, filled, findPlaces, type Places } from './places.js';
import type { SettingsSource } from './settings-source.js';
import { skillDirs, type SkillDirs } from './skill-dirs.js';

/** What the settings say of an agent. */
export interface AgentSettings extends Places {
  readonly cacheDir: string;
  readonly dirs: SkillDirs;
  /** Whether the project is the person's home folder, whose skills are their own. */
  readonly atHome: boolean;
  readonly model: string | undefined;
  /** The folder that a relative file of this model starts from: that of the file which names it. */
  readonly modelDir: string;
  readonly limits: AgentLimits;
  /** The folder in which runs are recorded. */
  readonly runsDir: string;
}

/** The options of the command line that are settings of an agent. */
export interface AgentSettingsFlags {
  readonly runsDir?: string | undefined;
}

/**
 * Reads what an agent is made by. Model, limits and the folder of the records are those of the environment, else of the person's own file: a
 * project that somebody else wrote chooses neither who decides, nor what it may cost, nor where files are written.
 *
 * @throws `INVALID_CONFIG`, `IO_ERROR`.
 */
export function readAgentSettings(source: SettingsSource, flags: AgentSettingsFlags = {}): AgentSettings {
  const { env, home, warn } = source;
  const places = findPlaces(source);
  const { projectDir, skillsHome } = places;
  const user = readConfigFile(join(skillsHome, 'config.json'), { owner: 'user', warn });
  const own = join(projectDir, '.agents');
  const project = own === skillsHome ? {} : readConfigFile(join(own, 'config.json'), { owner: 'project', warn });
  return {
    ...places,
    cacheDir: chooseCache(source, user, places),
    dirs: skillDirs({ env, project, user }, { ...places, home }),
    atHome: projectDir === home || own === skillsHome,
    ...chooseModel(source, user, places),
    limits: user.limits ?? {},
    runsDir: chooseRunsDir(source, { flag: flags.runsDir, user }, places),
  };
}

function chooseModel(
  { env }: SettingsSource,
  user: ConfigFile,
  { cwd, skillsHome }: Places,
): Pick<AgentSettings, 'model' | 'modelDir'> {
  const now = filled(env['SKILLS_MODEL']);
  return now === undefined ? { model: user.model, modelDir: skillsHome } : { model: now, modelDir: cwd };
}
