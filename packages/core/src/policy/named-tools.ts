import { isOfServer } from './match-tool-rule.js';
import { parseToolRule } from './parse-tool-rule.js';
import { standsForTool } from './tool-names.js';

/**
 * Which of the known tools an entry of `allowed-tools` names, whatever its pattern says: `Bash(git:*)` names
 * `run_command` and `run_script`, `mcp__github` every tool of that server. In the order of `known`.
 */
export function namedTools(entry: string, known: readonly string[]): readonly string[] {
  const rule = parseToolRule(entry);
  switch (rule.kind) {
    case 'tool':
      return known.filter((tool) => standsForTool(rule.name, tool, 'surely'));
    case 'unreadable':
      return rule.name === undefined ? [] : namedTools(rule.name, known);
    case 'server':
      return known.filter((tool) => isOfServer(rule.prefix, tool, 'surely'));
    case 'all':
    case 'risk':
      return [];
  }
}
