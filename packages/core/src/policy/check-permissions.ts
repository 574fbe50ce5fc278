import type { ErrorCode } from '../errors/codes.js';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { emptyRecord } from '../json/record-schema.js';
import { describeFound, describeUnknownKeys } from '../json/schema-issue.js';
import { parseToolRule } from './parse-tool-rule.js';
import {
  allowedToolsModes,
  mostRules,
  type AllowedToolsMode,
  type Permissions,
  type ToolRules,
} from './permissions.js';

/** How complaints are made. */
export interface CheckPermissionsOptions {
  /** What they are called: `permissions of /home/me/.agents/config.json`. @default 'permissions' */
  readonly what?: string | undefined;
  /** @default 'USAGE' */
  readonly code?: ErrorCode | undefined;
}

/**
 * Reads permissions that somebody wrote. A rule that cannot be read is refused rather than left out: what it should have
 * denied would be allowed.
 *
 * @throws `code` of the options, which says which rule, where, and what would do.
 */
export function checkPermissions(value: unknown, options: CheckPermissionsOptions = {}): Permissions {
  const { what = 'permissions', code = 'USAGE' } = options;
  const permissions = readPermissions(value, (path, problem) => {
    throw new SkillsError(code, `The ${what} cannot be used${path === '' ? '' : ` at ${path}`}: ${problem}.`, { hint });
  });
  for (const layer of ['configured', 'run'] as const) checkRules(permissions[layer] ?? {}, { what, code, layer });
  const { allowedTools = {} } = permissions;
  for (const name of typeof allowedTools === 'string' ? [] : Object.keys(allowedTools)) {
    if (meansSkills.test(name)) continue;
    throw new SkillsError(
      code,
      `The ${what} set a mode at allowedTools for ${quoted(name)}, which no skill is called.`,
      {
        hint: `Write pdf for a skill, org/pdf for a pack, org/* for an organisation, or the mode alone for all. ${hint}`,
        data: { at: 'allowedTools', name: name.slice(0, 200) },
      },
    );
  }
  return permissions;
}

// A skill may have any name that a folder can have.
const meansSkills = /^(?:[a-z0-9-]+\/(?:\*|[a-z0-9-]+)|[^*/\\\p{Cc}]+)$/u;
const hint = 'docs/permissions.md describes every rule.';

interface CheckedLayer {
  readonly what: string;
  readonly code: ErrorCode;
  readonly layer: 'configured' | 'run';
}

function checkRules(toolRules: ToolRules, { what, code, layer }: CheckedLayer): void {
  for (const list of ['allow', 'ask', 'deny'] as const) {
    for (const [at, text] of (toolRules[list] ?? []).entries()) {
      const rule = parseToolRule(text);
      if (rule.kind !== 'unreadable') continue;
      const place = `${layer}.${list}.${at}`;
      throw new SkillsError(code, `The ${what} hold a rule that cannot be read at ${place}: ${quoted(text)}.`, {
        hint: `${rule.problem} ${hint}`,
        data: { rule: text.slice(0, 200), at: place },
      });
    }
  }
}

const toolLists: readonly string[] = ['allow', 'ask', 'deny'] satisfies readonly (keyof ToolRules)[];

type Refuse = (path: string, problem: string) => never;

/** By hand rather than by the schema: a page that makes a session would load the schema library for this alone. */
function readPermissions(value: unknown, refuse: Refuse): Permissions {
  const { configured, run, allowedTools } = readFields(value, ['configured', 'run', 'allowedTools'], {
    at: '',
    refuse,
  });
  return {
    ...(configured === undefined ? {} : { configured: readToolRules(configured, 'configured', refuse) }),
    ...(run === undefined ? {} : { run: readToolRules(run, 'run', refuse) }),
    ...(allowedTools === undefined ? {} : { allowedTools: readModes(allowedTools, refuse) }),
  };
}

function readFields<Name extends string>(
  value: unknown,
  names: readonly Name[],
  { at, refuse }: { readonly at: string; readonly refuse: Refuse },
): Partial<Record<Name, unknown>> {
  if (!isObject(value)) return refuse(at, `expected an object${describeFound(value)}`);
  const known: readonly string[] = names;
  const unknown: string[] = [];
  // Inherited ones, too: what an object of a class denies is denied.
  for (const key in value) if (!known.includes(key)) unknown.push(key);
  const list = at === '' ? unknown.find((key) => toolLists.includes(key)) : undefined;
  if (list !== undefined) refuse(at, `${list} belongs into configured, as configured.${list}, or into run`);
  if (unknown.length > 0) refuse(at, describeUnknownKeys(unknown));
  const fields: Partial<Record<Name, unknown>> = {};
  for (const name of names) fields[name] = Reflect.get(value, name);
  return fields;
}

function readToolRules(value: unknown, at: string, refuse: Refuse): ToolRules {
  const lists = readFields(value, ['allow', 'ask', 'deny'], { at, refuse });
  return Object.fromEntries(
    Object.entries(lists)
      .filter(([, rules]) => rules !== undefined)
      .map(([list, rules]) => [list, readRules(rules, `${at}.${list}`, refuse)]),
  );
}

function readRules(value: unknown, at: string, refuse: Refuse): readonly string[] {
  if (!Array.isArray(value)) return refuse(at, `expected a list${describeFound(value)}`);
  if (value.length > mostRules) refuse(at, `expected at most ${mostRules} items${describeFound(value)}`);
  return Array.from(value, (rule: unknown, index) =>
    typeof rule === 'string' ? rule : refuse(`${at}.${index}`, `expected a text${describeFound(rule)}`),
  );
}

function readModes(value: unknown, refuse: Refuse): NonNullable<Permissions['allowedTools']> {
  if (!isObject(value)) return readMode(value, 'allowedTools', refuse);
  if (!isPlain(value)) refuse('allowedTools', `expected an object${describeFound(value)}`);
  const modes: Record<string, AllowedToolsMode> = emptyRecord();
  for (const [name, mode] of Object.entries(value)) {
    if (name !== '__proto__') modes[name] = readMode(mode, `allowedTools.${name.slice(0, 100)}`, refuse);
  }
  return modes;
}

function readMode(value: unknown, at: string, refuse: Refuse): AllowedToolsMode {
  const mode = allowedToolsModes.find((known) => known === value);
  return mode ?? refuse(at, `expected ${allowedToolsModes.join(' or ')}${describeFound(value)}`);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // By what it has rather than by what it is: each realm has its own.
  return prototype === null || Object.hasOwn(prototype as object, 'isPrototypeOf');
}
