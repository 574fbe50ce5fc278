import { quoted, SkillsError, type ModelRequest } from '@skillpack/core';
import { fillTemplate } from './fill-template.js';
import { matchRule } from './match-rule.js';
import type { ScriptReply, ScriptRule } from './model-script.js';
import type { Conversation } from './read-conversation.js';

/** Answers by rules: of those that fit and may still be used, the first. Keeps count of uses and of repetitions. */
export function createRulePlayer(
  rules: readonly ScriptRule[],
  options: { readonly maxRepeats: number },
): (conversation: Conversation, request: ModelRequest) => ScriptReply {
  const uses = new Map<ScriptRule, number>();
  let repeated = { text: '', turn: 0, times: 0 };
  return (conversation, request) => {
    for (const [index, rule] of rules.entries()) {
      const used = uses.get(rule) ?? 0;
      if (used >= (rule.times ?? Number.POSITIVE_INFINITY)) continue;
      const captures = matchRule(rule.when ?? {}, conversation, request);
      if (captures === undefined) continue;
      uses.set(rule, used + 1);
      const reply = fillTemplate(rule.reply, captures);
      const text = JSON.stringify([conversation.request, reply]);
      // A request that is made anew begins with the first turn again.
      const goesOn = repeated.text === text && conversation.turn > repeated.turn;
      repeated = { text, turn: conversation.turn, times: goesOn ? repeated.times + 1 : 1 };
      if (repeated.times > options.maxRepeats) throw circle(nameOf(rule, index), repeated.times);
      return reply;
    }
    throw noRule(rules, conversation);
  };
}

function nameOf(rule: ScriptRule, index: number): string {
  return rule.name === undefined ? `rule ${index + 1}` : `the rule ${quoted(rule.name, 60)}`;
}

function circle(name: string, times: number): SkillsError {
  return new SkillsError(
    'INVALID_CONFIG',
    `The script goes in a circle: ${name} gave the same answer ${times} times.`,
    {
      hint: 'Give the rule a condition that ends it, such as turn, after or skillInactive, or a number of times.',
    },
  );
}

function noRule(rules: readonly ScriptRule[], conversation: Conversation): SkillsError {
  const { turn, request, observation } = conversation;
  const last = observation === undefined ? 'nothing observed yet' : `last observed ${quoted(observation.content, 100)}`;
  return new SkillsError(
    'INVALID_CONFIG',
    `None of the ${rules.length} rules of the script fits turn ${turn} of ${quoted(request, 100)}, ${last}.`,
    { hint: 'Add a rule without conditions at the end.', data: { turn, rules: rules.length } },
  );
}
