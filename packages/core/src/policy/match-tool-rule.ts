import { isMeantByWords } from './command-surroundings.js';
import { matchesDomain } from './domain-pattern.js';
import { matchesCommand } from './match-command.js';
import { matchesPathGlob } from './path-glob.js';
import type { Certainty } from './pattern-reading.js';
import { matchesSkill, type RuleList } from './skill-pattern.js';
import { scriptLines } from './script-lines.js';
import { standsForTool } from './tool-names.js';
import type { RulePattern, ToolRule } from './tool-rule.js';
import type { JudgedTool } from './tool-use.js';
import type { UsePart } from './use-parts.js';

/** What a rule is held against. */
export interface RuleMatch {
  readonly tool: JudgedTool;
  readonly part: UsePart;
  readonly certainty: Certainty;
  /** The folder of the skill that wrote the rule; `undefined` for one that a person wrote. */
  readonly folder: string | undefined;
  /** What is done with what it means. @default 'allow' */
  readonly list?: RuleList | undefined;
}

/** Whether a rule means this part of a use, or may mean it. */
export function matchesToolRule(rule: ToolRule, match: RuleMatch): boolean {
  const { tool, certainty } = match;
  switch (rule.kind) {
    case 'all':
      return true;
    case 'risk':
      return rule.risk === tool.risk;
    case 'server':
      return isOfServer(rule.prefix, tool.tool, certainty);
    case 'tool':
      return (
        standsForTool(rule.name, tool.tool, certainty) &&
        (rule.pattern === undefined || matchesPattern(rule.pattern, match, rule.name))
      );
    case 'unreadable':
      return certainty === 'possibly' && (rule.name === undefined || standsForTool(rule.name, tool.tool, certainty));
  }
}

/** Whether a rule means any use of a tool at all, whatever its input. */
export function namesTool(rule: ToolRule, tool: JudgedTool): boolean {
  switch (rule.kind) {
    case 'tool':
      return standsForTool(rule.name, tool.tool, 'surely');
    case 'unreadable':
      return false;
    default:
      return matchesToolRule(rule, { tool, part: { kind: 'whole' }, certainty: 'surely', folder: undefined });
  }
}

/** Whether a tool is one of a server. Behind two more underscores, nobody can tell where the name of the server ends. */
export function isOfServer(prefix: string, tool: string, certainty: Certainty): boolean {
  if (certainty === 'possibly') return `${tool.toLowerCase()}__`.startsWith(prefix.toLowerCase());
  const name = tool.startsWith(prefix) ? tool.slice(prefix.length) : '';
  return tool === prefix.slice(0, -2) || (name !== '' && !name.startsWith('_') && !name.includes('__'));
}

function matchesPattern(pattern: RulePattern, match: RuleMatch, name: string): boolean {
  const { tool, part, certainty, folder, list = 'allow' } = match;
  if (pattern.kind === 'skill') return matchesSkill(pattern.skill, tool.onBehalfOf, { certainty, list });
  if (part.kind === 'path' && pattern.kind === 'path') {
    return matchesPathGlob(pattern.glob, part.path, { certainty, reach: part.reach });
  }
  if (part.kind === 'url' && pattern.kind === 'domain') return matchesDomain(pattern.domain, part.url, certainty);
  if (part.kind === 'command' && pattern.kind === 'command') {
    const { words } = part.command;
    if (certainty === 'surely' && !isMeantByWords(part, pattern.command)) return false;
    return matchesCommand(pattern.command, { words, certainty, folder });
  }
  if (part.kind === 'script' && pattern.kind === 'command') {
    const { script } = part;
    const own = folder !== undefined || name === 'run_script' || certainty === 'possibly';
    return scriptLines(script, own ? 'skill' : 'anywhere').some((words) =>
      matchesCommand(pattern.command, { words, certainty, folder: folder ?? script.folder }),
    );
  }
  return certainty === 'possibly';
}
