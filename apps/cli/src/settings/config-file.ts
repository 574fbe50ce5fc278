import { SkillsError } from '@skillpack/core';
import * as z from 'zod/mini';
import { readTextIfPresent } from '../files/read-text-if-present.js';

/** `config.json` in `.agents` of a project, or in a person's `~/.agents`. Fields it does not know are ignored. */
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
  /** What one request to an agent may take. Only in a person's own file. */
  readonly limits?: AgentLimits | undefined;
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
}

const number = (least: number) => z.optional(z.int().check(z.gte(least)));
const text = z.string().check(z.minLength(1), z.maxLength(4096));

const configFileSchema = z.lazy(() =>
  z.object({
    formatVersion: z._default(z.literal(1), 1),
    registry: z.optional(text),
    registries: z.optional(z.record(z.string(), text)),
    cache: z.optional(text),
    dirs: z.optional(z.array(text).check(z.maxLength(100))),
    offline: z.optional(z.boolean()),
    model: z.optional(text),
    limits: z.optional(
      z.object({ turns: number(1), toolCalls: number(0), scripts: number(0), tokens: number(1), timeout: number(1) }),
    ),
  }),
);

/**
 * Reads a configuration file; one that does not exist says nothing.
 *
 * @throws `INVALID_CONFIG`, `IO_ERROR`.
 */
export function readConfigFile(path: string): ConfigFile {
  const json = readTextIfPresent(path);
  if (json === undefined) return {};
  const result = configFileSchema.safeParse(parse(json, path));
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new SkillsError(
    'INVALID_CONFIG',
    `${path} is not valid at ${issue?.path.join('.') ?? '.'}: ${issue?.message ?? 'unknown problem'}.`,
    { hint: 'docs/cli.md describes every field.', data: { path } },
  );
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
