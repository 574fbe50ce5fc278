import { quoted, SkillsError, textWithoutCredentials, type AllowedToolsMode } from '@skillpack/core';
import { readTextIfPresent } from '../files/read-text-if-present.js';
import { docPages } from '../frame/doc-pages.js';
import { nearestName } from '../frame/nearest-name.js';
import {
  configFields,
  configFileSchema,
  limitFields,
  permissionFields,
  personalFields,
  personalPermissions,
} from './config-schema.js';
import type { SandboxMode } from './sandbox-mode.js';

/** `config.json` in `.agents` of a project, or in a person's `~/.agents`. Fields it does not know are told of, and ignored. */
export interface ConfigFile {
  /** The registry of every organisation that has none of its own: a URL, or a folder relative to this file's owner. */
  readonly registry?: string | undefined;
  /** Registries of single organisations. */
  readonly registries?: Readonly<Record<string, string>> | undefined;
  /** Folder of downloaded archives. Only in a person's own file. */
  readonly cache?: string | undefined;
  /** Further folders of skills. */
  readonly dirs?: readonly string[] | undefined;
  readonly offline?: boolean | undefined;
  /** The model that decides for agents: `provider:name`. Only in a person's own file. */
  readonly model?: string | undefined;
  /** Windows and prices of models, or the file that has them. Only in a person's own file. */
  readonly models?: string | Readonly<Record<string, object>> | undefined;
  /** What one request to an agent may take. Only in a person's own file. */
  readonly limits?: AgentLimits | undefined;
  /** Folder of the records of runs, instead of the one in each project. Only in a person's own file. */
  readonly runsDir?: string | undefined;
  /** What tools may be used for. Of a project's file, only what it denies counts: it can take away, and not give. */
  readonly permissions?: PermissionSettings | undefined;
  /** Whether scripts run in a sandbox. Only in a person's own file. */
  readonly sandbox?: SandboxMode | undefined;
}

/** Rules of uses of tools, and what else of permissions is configured. A list that is stated stands for the usual one. */
export interface PermissionSettings {
  /** What is done without a question. */
  readonly allow?: readonly string[] | undefined;
  /** What needs a yes. */
  readonly ask?: readonly string[] | undefined;
  /** What is never done. */
  readonly deny?: readonly string[] | undefined;
  /** How `allowed-tools` of skills count: one mode for all, or by skill, pack or organisation. */
  readonly allowedTools?: AllowedToolsMode | Readonly<Record<string, AllowedToolsMode>> | undefined;
  /** Variables that scripts are handed, by name. */
  readonly env?: readonly string[] | undefined;
}

/** Whose a configuration file is, and who is told of what counts for nothing in it. */
export interface ReadConfigOptions {
  readonly owner: 'project' | 'user';
  readonly warn: (message: string) => void;
}

/** What one request to an agent may take; what is left out has its usual limit. */
export interface AgentLimits {
  /** Model calls. */
  readonly turns?: number | undefined;
  /** Actions, scripts included. */
  readonly toolCalls?: number | undefined;
  readonly scripts?: number | undefined;
  /** Tokens in and out of all model calls. */
  readonly tokens?: number | undefined;
  /** Seconds until it is given up. */
  readonly timeout?: number | undefined;
  /** Seconds until a script is ended. */
  readonly script?: number | undefined;
}

/**
 * Reads a configuration file; one that does not exist says nothing. Fields that count for nothing are told of, unless one
 * of them may have been meant to take something away.
 *
 * @throws `INVALID_CONFIG`, `IO_ERROR`.
 */
export function readConfigFile(path: string, { owner, warn }: ReadConfigOptions): ConfigFile {
  const json = readTextIfPresent(path);
  if (json === undefined) return {};
  const written = parse(json, path);
  const result = configFileSchema.safeParse(written, { reportInput: true });
  if (result.success) {
    refuseMistyped(written, path, owner);
    for (const message of uselessFields(written, owner)) warn(`${path}: ${message}`);
    return result.data;
  }
  const issue = result.error.issues[0];
  const place = (issue?.path ?? []).join('.');
  const problem = issue === undefined ? 'unknown problem' : `${issue.message}, found ${shown(issue.input)}`;
  throw new SkillsError('INVALID_CONFIG', `${path} is not valid${place === '' ? '' : ` at ${place}`}: ${problem}.`, {
    hint: `${docPages.cli} describes every field.`,
    data: { path },
  });
}

function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(textWithoutCredentials(value.slice(0, 4_000)), 60);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** @throws `INVALID_CONFIG` for a field that may have been meant to take something away: left out, it would be allowed. */
function refuseMistyped(file: unknown, path: string, owner: ReadConfigOptions['owner']): void {
  const { permissions = {} } = file as { readonly permissions?: object };
  const refuse = (name: string, meant: string | undefined): never => {
    const nearest = meant === undefined ? '.' : `; did you mean “${meant}”?`;
    throw new SkillsError('INVALID_CONFIG', `${path} has no field ${quoted(name)}${nearest}`, {
      hint: `Nothing was done: what it was to deny would have been allowed. ${docPages.cli} describes every field.`,
      data: { path, name: name.slice(0, 200) },
    });
  };
  const takesAway = owner === 'user' ? Object.keys(permissionFields) : ['deny'];
  const telling = owner === 'user' ? ['permissions', 'sandbox'] : ['permissions'];
  for (const name of unknownNames(file as object, configFields)) {
    const inner = takesAway.find((field) => field.toLowerCase() === name.toLowerCase());
    if (inner !== undefined) refuse(name, `permissions.${inner}`);
    const nearest = nearestName(name, Object.keys(configFields));
    if (nearest !== undefined && telling.includes(nearest)) refuse(name, nearest);
  }
  for (const name of unknownNames(permissions, permissionFields)) {
    const nearest = nearestName(name, Object.keys(permissionFields));
    if (owner === 'user' || nearest === 'deny') refuse(`permissions.${name}`, nearest);
  }
}

function unknownNames(value: object, known: object): readonly string[] {
  return Object.keys(value).filter((name) => !Object.hasOwn(known, name));
}

function looksLikeKey(name: string): boolean {
  return /(?:api|access|secret)[_-]?key|_token$|secret/iu.test(name);
}

/** What is told of the fields of a valid file that nobody reads. */
function uselessFields(file: unknown, owner: ReadConfigOptions['owner']): readonly string[] {
  const written = file as object; // that it is an object was checked
  const { limits = {}, permissions = {} } = file as { readonly limits?: object; readonly permissions?: object };
  const unknown = (path: string, value: object, known: object): readonly string[] =>
    unknownNames(value, known).map((name) => {
      const nearest = nearestName(name, Object.keys(known));
      if (looksLikeKey(name)) {
        return `The field ${quoted(`${path}${name}`)} is not read. Keys of models stand in the environment alone (OPENAI_API_KEY, ANTHROPIC_API_KEY, SKILLS_MODEL_API_KEY): remove this one from the file.`;
      }
      return `There is no field ${quoted(`${path}${name}`)}${nearest === undefined ? '.' : `; did you mean “${nearest}”?`}`;
    });
  const own = [
    ...Object.keys(written).filter((name) => personalFields.includes(name)),
    ...Object.keys(permissions)
      .filter((name) => personalPermissions.includes(name))
      .map((name) => `permissions.${name}`),
  ];
  return [
    ...unknown('', written, configFields),
    ...unknown('limits.', limits, limitFields),
    ...unknown('permissions.', permissions, permissionFields),
    ...(owner === 'project' ? own : []).map(
      (name) => `${quoted(name)} is left out: it counts only in a config.json of your own.`,
    ),
  ];
}

function parse(json: string, path: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/u, ''));
  } catch (cause) {
    throw new SkillsError('INVALID_CONFIG', `${path} is not JSON: ${(cause as SyntaxError).message}.`, {
      hint: 'Correct it by hand, or remove it.',
      cause,
      data: { path },
    });
  }
}
