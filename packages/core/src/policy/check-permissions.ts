import * as z from 'zod/mini';
import type { ErrorCode } from '../errors/codes.js';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { recordSchema } from '../json/record-schema.js';
import { describeIssue, forDescription, issuePath } from '../json/schema-issue.js';
import { parseToolRule } from './parse-tool-rule.js';
import type { Permissions, ToolRules } from './permissions.js';

const mostRules = 1_000;

const rules = z.lazy(() => z.optional(z.array(z.string()).check(z.maxLength(mostRules))));

const toolRulesSchema = z.lazy(() => z.strictObject({ allow: rules, ask: rules, deny: rules }));

const modeSchema = z.lazy(() => z.enum(['grant', 'restrict', 'ignore']));

/** The schema of {@link Permissions}; whether each rule can be read, it does not say. */
export const permissionsSchema = z.lazy(() =>
  z.strictObject({
    configured: z.optional(toolRulesSchema),
    run: z.optional(toolRulesSchema),
    allowedTools: z.optional(z.union([modeSchema, recordSchema(z.string(), modeSchema)])),
  }),
);

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
  const result = permissionsSchema.safeParse(value, forDescription);
  if (!result.success) {
    const [issue] = result.error.issues;
    const path = issue === undefined ? '' : issuePath(issue);
    const problem = issue === undefined ? 'they do not follow their schema' : describeIssue(issue);
    throw new SkillsError(code, `The ${what} cannot be used${path === '' ? '' : ` at ${path}`}: ${problem}.`, { hint });
  }
  const permissions: Permissions = result.data;
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
