import { parseToolRule } from './parse-tool-rule.js';
import type { ToolRule } from './tool-rule.js';
import type { PolicySkill } from './tool-use.js';

/** The rules of a skill's `allowed-tools`: without `*` and `risk:low`, for no skill allows itself everything. */
export function skillRulesOf({ allowedTools = [] }: Pick<PolicySkill, 'allowedTools'>): readonly ToolRule[] {
  return allowedTools.map(parseToolRule).filter(({ kind }) => kind !== 'all' && kind !== 'risk');
}
