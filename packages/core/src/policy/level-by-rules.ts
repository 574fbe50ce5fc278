import { matchesToolRule } from './match-tool-rule.js';
import { parseToolRule } from './parse-tool-rule.js';
import type { Certainty } from './pattern-reading.js';
import type { ListedRules } from './permissions.js';
import type { RuleList } from './skill-pattern.js';
import type { ToolRule } from './tool-rule.js';
import type { ToolUse } from './tool-use.js';
import type { UsePart } from './use-parts.js';

/** What one set of rules says of a use. */
export type RuleLevel =
  | { readonly kind: 'allow' }
  /** `byName`: a rule that asks names the tool, its server or its skill, or may do so; else it is about all, or a risk. */
  | { readonly kind: 'ask'; readonly byName: boolean }
  /** By the rule that denies it; `undefined`: none allows it, or asks about it. */
  | { readonly kind: 'refuse'; readonly rule: string | undefined };

interface WrittenRule {
  readonly text: string;
  readonly rule: ToolRule;
}

/** By each part of a use on its own: the strictest counts. */
export function levelByRules(rules: ListedRules, use: ToolUse, parts: readonly UsePart[]): RuleLevel {
  const lists = { allow: written(rules.allow), ask: written(rules.ask), deny: written(rules.deny) };
  const matching = (list: RuleList, part: UsePart, certainty: Certainty): readonly WrittenRule[] =>
    lists[list].filter(({ rule }) => matchesToolRule(rule, { tool: use, part, certainty, folder: undefined, list }));
  const levels = parts.map((part): RuleLevel => {
    const [denying] = matching('deny', part, 'possibly');
    if (denying !== undefined) return { kind: 'refuse', rule: denying.text };
    const asking = matching('ask', part, 'possibly');
    const byName = asking.some(({ rule }) => rule.kind !== 'all' && rule.kind !== 'risk');
    if (matching('ask', part, 'surely').length > 0) return { kind: 'ask', byName };
    if (matching('allow', part, 'surely').length === 0) return { kind: 'refuse', rule: undefined };
    return asking.length > 0 ? { kind: 'ask', byName } : { kind: 'allow' };
  });
  const refusals = levels.filter((level) => level.kind === 'refuse');
  const refused = refusals.find(({ rule }) => rule !== undefined) ?? refusals[0];
  if (refused !== undefined) return refused;
  const asked = levels.filter((level) => level.kind === 'ask');
  return asked.length === 0 ? { kind: 'allow' } : { kind: 'ask', byName: asked.some(({ byName }) => byName) };
}

function written(texts: readonly string[]): readonly WrittenRule[] {
  return texts.map((text) => ({ text, rule: parseToolRule(text) }));
}
