import { allowedToolsMode } from './allowed-tools-mode.js';
import { matchesToolRule, namesTool } from './match-tool-rule.js';
import { parseToolRule } from './parse-tool-rule.js';
import { rulesOf, type ListedRules } from './permissions.js';
import { skillRulesOf } from './skill-rules.js';
import type { ToolRule } from './tool-rule.js';
import type { JudgeContext } from './judge-tool-use.js';
import type { JudgedTool } from './tool-use.js';

/**
 * Whether any use of a tool could be allowed, or allowed after a yes: a model need not be offered another one. Where
 * `judgeToolUse` does not refuse, this is true.
 */
export function couldBeUsed(tool: JudgedTool, { permissions, skills }: JudgeContext): boolean {
  if (!isOpen(rulesOf('configured', permissions), tool) || !isOpen(rulesOf('run', permissions), tool)) return false;
  const concerned = tool.onBehalfOf === undefined ? skills : [tool.onBehalfOf];
  return concerned
    .filter((skill) => skill.allowedTools !== undefined && allowedToolsMode(skill, permissions) === 'restrict')
    .every((skill) => skillRulesOf(skill).some((rule) => namesTool(rule, tool)));
}

function isOpen({ allow, ask, deny }: ListedRules, tool: JudgedTool): boolean {
  if (deny.map(parseToolRule).some((rule) => meansEveryUse(rule, tool))) return false;
  return [...allow, ...ask].map(parseToolRule).some((rule) => namesTool(rule, tool));
}

function meansEveryUse(rule: ToolRule, tool: JudgedTool): boolean {
  if (rule.kind === 'tool' && rule.pattern !== undefined) return false;
  return matchesToolRule(rule, { tool, part: { kind: 'whole' }, certainty: 'possibly', folder: undefined });
}
