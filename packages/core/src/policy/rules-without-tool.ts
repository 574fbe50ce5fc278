import { isOfServer } from './match-tool-rule.js';
import { parseToolRule } from './parse-tool-rule.js';
import type { Permissions } from './permissions.js';
import type { Certainty } from './pattern-reading.js';
import { standsForTool } from './tool-names.js';

/** A rule that means no tool there is. */
export interface RuleWithoutTool {
  /** Where it stands: `configured.deny.0`. */
  readonly at: string;
  readonly rule: string;
}

/**
 * The rules that name no tool there is, as a mistyped one does: what it was to deny is not denied. `*` and rules of a risk
 * name none by themselves, and are left out. A name in another case means a tool where it denies or asks, and none where
 * it allows.
 *
 * @param known the names of all tools, `run_script` among them where scripts can be run.
 */
export function rulesWithoutTool(permissions: Permissions, known: readonly string[]): readonly RuleWithoutTool[] {
  const found: RuleWithoutTool[] = [];
  for (const layer of ['configured', 'run'] as const) {
    for (const list of ['allow', 'ask', 'deny'] as const) {
      const certainty = list === 'allow' ? 'surely' : 'possibly';
      for (const [index, rule] of (permissions[layer]?.[list] ?? []).entries()) {
        if (!namesAny(rule, known, certainty)) found.push({ at: `${layer}.${list}.${index}`, rule });
      }
    }
  }
  return found;
}

function namesAny(text: string, known: readonly string[], certainty: Certainty): boolean {
  const rule = parseToolRule(text);
  switch (rule.kind) {
    case 'tool':
      return known.some((tool) => standsForTool(rule.name, tool, certainty));
    case 'server':
      return known.some((tool) => isOfServer(rule.prefix, tool, certainty));
    case 'unreadable': {
      const { name } = rule;
      return name === undefined || known.some((tool) => standsForTool(name, tool, certainty));
    }
    case 'all':
    case 'risk':
      return true;
  }
}
