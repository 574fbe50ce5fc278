import type { ModelRequest } from '@skillpack/core';
import type { RuleCondition, TextPattern } from './model-script.js';
import type { Conversation } from './read-conversation.js';

/** What the expressions of a condition captured. */
export interface Captures {
  /** Of the first expression; the whole match is at 0. */
  readonly numbered: readonly string[];
  readonly named: ReadonlyMap<string, string>;
}

// An expression is tried on no more of a text, so that an unfortunate one ends.
const maxLength = 100_000;

/** Whether a condition holds; what its expressions captured if it does. */
export function matchRule(
  condition: RuleCondition,
  conversation: Conversation,
  request: ModelRequest,
): Captures | undefined {
  if (!holds(condition, conversation, request)) return undefined;
  const { observation, saw } = condition;
  const current = conversation.observation === undefined ? [] : [conversation.observation.content];
  const texts: readonly (readonly [TextPattern | undefined, readonly string[]])[] = [
    [observation, current],
    [saw, conversation.seen.map(({ content }) => content)],
    [condition.request, [conversation.request]],
    [condition.system, [request.system]],
  ];
  const matches: RegExpExecArray[] = [];
  for (const [pattern, candidates] of texts) {
    if (pattern === undefined) continue;
    const match = firstMatch(pattern, candidates);
    if (match === undefined) return undefined;
    if (typeof match === 'object') matches.push(match);
  }
  const named = matches.toReversed().flatMap(({ groups }) => Object.entries(groups ?? {}));
  return {
    numbered: (matches[0] ?? []).map((group: string | undefined) => group ?? ''),
    named: new Map(named.map(([name, group]: [string, string | undefined]) => [name, group ?? ''])),
  };
}

function holds(condition: RuleCondition, conversation: Conversation, request: ModelRequest): boolean {
  const { ok, turn, after, skillActive, skillInactive, toolOffered, toolNotOffered, actionOffered } = condition;
  const offers = (tool: string): boolean => request.tools.some(({ name }) => name === tool);
  return (
    (ok === undefined || conversation.observation?.ok === ok) &&
    (turn === undefined || conversation.turn === turn) &&
    (after === undefined || conversation.decisions.at(-1)?.action.kind === after) &&
    (skillActive === undefined || conversation.activeSkills.includes(skillActive)) &&
    (skillInactive === undefined || !conversation.activeSkills.includes(skillInactive)) &&
    (toolOffered === undefined || offers(toolOffered)) &&
    (toolNotOffered === undefined || !offers(toolNotOffered)) &&
    (actionOffered === undefined || request.actions.includes(actionOffered))
  );
}

/** The match in the first text that has one; `true` for words, which capture nothing. */
function firstMatch(pattern: TextPattern, texts: readonly string[]): RegExpExecArray | true | undefined {
  if (typeof pattern === 'string') {
    const words = pattern.toLowerCase();
    return texts.some((text) => text.toLowerCase().includes(words)) ? true : undefined;
  }
  // A copy: an expression with `g` or `y` would remember where it was.
  const expression = new RegExp(pattern.source, pattern.flags.replace(/[gy]/gu, ''));
  for (const text of texts) {
    const match = expression.exec(text.slice(0, maxLength));
    if (match !== null) return match;
  }
  return undefined;
}
