import { join } from 'node:path';
import { defaultToolRules, quoted, SkillsError, type Permissions, type ToolRules } from '@skillpack/core';
import { checkRules } from './check-rules.js';
import { readConfigFile, type AgentLimits, type ConfigFile, type PermissionSettings } from './config-file.js';
import { chooseCache, chooseRunsDir, filled, findPlaces, type Places } from './places.js';
import { rulesWithoutEffect } from './rules-without-effect.js';
import type { SettingsSource } from './settings-source.js';
import { sandboxModes, type SandboxMode } from './sandbox-mode.js';
import type { SettingOrigin } from './settings.js';
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
  /** Whether that file is the person's own configuration. */
  readonly modelConfigured: boolean;
  /** Windows and prices of models: a table, or the file that has one. */
  readonly models: ConfigFile['models'];
  readonly limits: AgentLimits;
  /** The folder in which runs are recorded. */
  readonly runsDir: string;
  /** What tools may be used for, before a command line says anything. */
  readonly permissions: Pick<Permissions, 'allowedTools'> & { readonly configured: ToolRules };
  /** Variables that scripts are handed, by name. */
  readonly env: readonly string[];
  readonly sandbox: { readonly mode: SandboxMode; readonly origin: SettingOrigin | 'default' };
}

/** The options of the command line that are settings of an agent. */
export interface AgentSettingsFlags {
  readonly runsDir?: string | undefined;
  readonly sandbox?: SandboxMode | undefined;
}

/**
 * Reads what an agent is made by. All but the folders of skills is of the command line and the environment, else of the
 * person's own file: a project that somebody else wrote chooses neither who decides, nor what it may cost, nor where files
 * are written, nor what is allowed. What it denies is denied.
 *
 * @throws `INVALID_CONFIG`, `IO_ERROR`.
 */
export function readAgentSettings(source: SettingsSource, flags: AgentSettingsFlags = {}): AgentSettings {
  const { env, home, warn } = source;
  const places = findPlaces(source);
  const { projectDir, skillsHome } = places;
  const userFile = join(skillsHome, 'config.json');
  const user = readConfigFile(userFile, { owner: 'user', warn });
  const own = join(projectDir, '.agents');
  const projectFile = join(own, 'config.json');
  const project = own === skillsHome ? {} : readConfigFile(projectFile, { owner: 'project', warn });
  checkRules(user.permissions ?? {}, userFile);
  for (const message of rulesWithoutEffect(user.permissions ?? {})) warn(`${userFile}: ${message}`);
  checkRules({ deny: project.permissions?.deny }, projectFile);
  return {
    ...places,
    cacheDir: chooseCache(source, user, places),
    dirs: skillDirs({ env, project, user }, { ...places, home }),
    atHome: projectDir === home || own === skillsHome,
    ...chooseModel(source, user, places),
    models: user.models,
    limits: user.limits ?? {},
    runsDir: chooseRunsDir(source, { flag: flags.runsDir, user }, places),
    permissions: permissionsOf(user.permissions, project.permissions),
    env: user.permissions?.env ?? [],
    sandbox: chooseSandbox(source, flags, user),
  };
}

function permissionsOf(
  { allow, ask, deny = [], allowedTools }: PermissionSettings = {},
  project: PermissionSettings = {},
): AgentSettings['permissions'] {
  const configured = {
    allow: allow ?? defaultToolRules.allow,
    ask: ask ?? defaultToolRules.ask,
    deny: [...deny, ...(project.deny ?? [])],
  };
  return { configured, allowedTools };
}

function chooseSandbox(
  { env }: SettingsSource,
  { sandbox: flag }: AgentSettingsFlags,
  { sandbox: user }: ConfigFile,
): AgentSettings['sandbox'] {
  if (flag !== undefined) return { mode: flag, origin: 'flag' };
  const now = filled(env['SKILLS_SANDBOX']);
  if (now !== undefined) {
    const mode = sandboxModes.find((one) => one === now.toLowerCase());
    if (mode !== undefined) return { mode, origin: 'environment' };
    throw new SkillsError(
      'INVALID_CONFIG',
      `SKILLS_SANDBOX is ${quoted(now)}; expected one of ${sandboxModes.join(', ')}.`,
      { data: { name: 'SKILLS_SANDBOX', value: now } },
    );
  }
  return user === undefined ? { mode: 'auto', origin: 'default' } : { mode: user, origin: 'user' };
}

function chooseModel(
  { env }: SettingsSource,
  user: ConfigFile,
  { cwd, skillsHome }: Places,
): Pick<AgentSettings, 'model' | 'modelDir' | 'modelConfigured'> {
  const now = filled(env['SKILLS_MODEL']);
  return now === undefined
    ? { model: user.model, modelDir: skillsHome, modelConfigured: true }
    : { model: now, modelDir: cwd, modelConfigured: false };
}
