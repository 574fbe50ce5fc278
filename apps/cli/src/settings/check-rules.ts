import { checkPermissions, describeToolRule, quoted, SkillsError } from '@skillpack/core';
import { docPages } from '../frame/doc-pages.js';
import { nearestName } from '../frame/nearest-name.js';
import type { PermissionSettings } from './config-file.js';
import { otherNames, toolNames } from './known-tools.js';

/**
 * Checks the rules of a configuration file.
 *
 * @throws `INVALID_CONFIG` for a rule that cannot be read or names no tool, for a mode of what no skill is called, and for a
 * name that no variable has: what they were to deny would be allowed.
 */
export function checkRules({ allow, ask, deny, allowedTools, env = [] }: PermissionSettings, path: string): void {
  for (const [list, rules = []] of Object.entries({ allow, ask, deny })) {
    for (const [index, rule] of rules.entries()) {
      const problem = problemOf(rule, list === 'allow');
      if (problem === undefined) continue;
      const at = `permissions.${list}.${index}`;
      throw new SkillsError('INVALID_CONFIG', `${path} has a rule at ${at} that ${problem.what}: ${quoted(rule)}.`, {
        hint: `${problem.help} ${docPages.permissions} describes every rule.`,
        data: { path, rule: rule.slice(0, 200), at },
      });
    }
  }
  for (const [index, name] of env.entries()) {
    if (/^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)) continue;
    const at = `permissions.env.${index}`;
    throw new SkillsError('INVALID_CONFIG', `${path} names at ${at} what is no variable: ${quoted(name)}.`, {
      hint: 'Name each by its whole name: letters, digits and _. A pattern is none.',
      data: { path, name: name.slice(0, 200), at },
    });
  }
  checkPermissions({ allowedTools }, { what: `permissions of ${path}`, code: 'INVALID_CONFIG' });
}

/** What is wrong with a rule, and what would do. */
export interface RuleProblem {
  readonly what: 'names no tool' | 'cannot be read';
  readonly help: string;
}

/** What is wrong with a rule; `undefined` where nothing is. @param exact whether a name in another case names nothing */
export function problemOf(rule: string, exact: boolean): RuleProblem | undefined {
  const described = describeToolRule(rule);
  if (described.kind !== 'tool' && described.kind !== 'unreadable') return undefined;
  // A rule that cannot be read may be so since its name is mistyped.
  const name =
    described.kind === 'tool' ? described.name : /^\s*(?<name>[\w-]+)\s*(?:\(|$)/u.exec(rule)?.groups?.['name'];
  if (name !== undefined && !isKnown(name, exact)) {
    const nearest = nearestName(name, [...otherNames, ...toolNames]);
    const help = nearest === undefined ? `There is ${toolNames.join(', ')}.` : `Did you mean ${quoted(nearest)}?`;
    return { what: 'names no tool', help };
  }
  return described.kind === 'tool' ? undefined : { what: 'cannot be read', help: described.problem };
}

/** A server of tools may be there or not. */
function isKnown(name: string, exact: boolean): boolean {
  if (name.startsWith('mcp__')) return true;
  return [...otherNames, ...toolNames].some(
    (known) => known === name || (!exact && known.toLowerCase() === name.toLowerCase()),
  );
}
