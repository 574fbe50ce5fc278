import { visibleText } from '../../errors/visible-text.js';
import { canonicalJson } from '../../json/canonical-json.js';
import { recordable } from '../../json/recordable.js';
import type { BudgetLimits } from '../budget.js';
import type { RunState } from '../run-state.js';
import { escapeXml } from '../../errors/escape-xml.js';
import { withoutPromptTags } from './prompt-tags.js';

const budgetWords: readonly (readonly [name: keyof BudgetLimits, word: string])[] = [
  ['turns', 'turns'],
  ['toolCalls', 'actions'],
  ['scripts', 'scripts'],
  ['tokens', 'tokens'],
];

/** The plan, what is left of the budget, and which skills are active or hidden: the end of the newest message. */
export function runStatus(state: RunState): string {
  const { plan, disabled } = state;
  const activations = state.activations.filter(({ name }) => !disabled.some((off) => off.name === name));
  const lines = [
    `plan: ${plan === undefined ? 'none yet' : withoutPromptTags(visibleText(canonicalJson(recordable(plan))))}`,
    `left: ${budgetLeft(state)}`,
    ...(activations.length === 0 ? [] : [`skills loaded: ${listed(activations)}`]),
    ...(disabled.length === 0 ? [] : [`skills hidden: ${listed(disabled)}`]),
  ];
  return `<run_state>\n${lines.join('\n')}\n</run_state>`;
}

function budgetLeft({ limits, spent }: RunState): string {
  const counted = budgetWords.flatMap(([name, word]) => {
    const left = limits[name] - spent[name];
    return isLimited(limits[name]) ? [`${Math.max(0, left)} ${word}`] : [];
  });
  const seconds = Math.max(0, Math.floor((limits.wallTime - spent.wallTime) / 1000));
  const time = isLimited(limits.wallTime) ? [`${seconds} seconds`] : [];
  const money = isLimited(limits.cost) ? [`$${Math.max(0, limits.cost - spent.cost).toFixed(2)}`] : [];
  return [...counted, ...time, ...money].join(', ');
}

/** A record spells “no limit” as the largest whole number. */
function isLimited(limit: number): boolean {
  return limit < Number.MAX_SAFE_INTEGER;
}

function listed(skills: readonly { readonly name: string }[]): string {
  return skills.map(({ name }) => escapeXml(name)).join(', ');
}
