import { parseToolRule } from './parse-tool-rule.js';
import type { ToolRule } from './tool-rule.js';
import type { PolicySkill } from './tool-use.js';

// Each is held against each part of each use.
const mostRules = 500;

/** The rules of a skill's `allowed-tools`: without `*` and `risk:low`, for no skill allows itself everything, and without `skill:`, for a list speaks for its own skill alone. Those behind the first 500 do not count. */
export function skillRulesOf({ allowedTools = [] }: Pick<PolicySkill, 'allowedTools'>): readonly ToolRule[] {
  return allowedTools
    .slice(0, mostRules)
    .map(parseToolRule)
    .filter((rule) => rule.kind !== 'all' && rule.kind !== 'risk' && !isOfSkill(rule));
}

function isOfSkill(rule: ToolRule): boolean {
  return rule.kind === 'tool' && rule.pattern?.kind === 'skill';
}
