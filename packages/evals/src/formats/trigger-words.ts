import type { ForeignValue } from './foreign-value.js';

/** Names under which what a person says is found. */
export const textNames = ['query', 'prompt', 'q', 'input', 'user_prompt', 'userPrompt', 'utterance', 'text'] as const;

/** Names under which it is found whether a skill is to be used. */
export const labelNames = [
  'should_trigger',
  'shouldTrigger',
  'should',
  'expected_trigger',
  'expectedTrigger',
  'expect',
  'expected',
] as const;

/** Names under which the skill that is to be used is found. */
export const skillNames = ['expected_skill', 'expectedSkill', 'expect_skill', 'expectSkill'] as const;

/** Names under which skills that must not be used are found. */
export const forbiddenNames = [
  'expected_not_skills',
  'expectedNotSkills',
  'disallowed_skills',
  'disallowedSkills',
  'not_skills',
] as const;

/** What a label says: that the skill is to be used, that it is not, which one is, or that none is. */
export type TriggerLabel =
  | { readonly kind: 'fires'; readonly fires: boolean }
  | { readonly kind: 'skills'; readonly names: ForeignValue }
  | { readonly kind: 'none' };

const yes = new Set(['fire', 'fires', 'yes', 'true', 'trigger', 'triggers', 'should_trigger', 'positive', 'pos', '1']);
const no = new Set([
  'no_fire',
  'nofire',
  'no',
  'false',
  'no_trigger',
  'not_trigger',
  'should_not_trigger',
  'negative',
  'neg',
  '0',
]);

/** Whether a word says that a skill is to be used (`fire`), that it is not (`no_fire`), or neither. */
export function firesOf(word: string): boolean | undefined {
  const plain = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/gu, '_');
  if (yes.has(plain)) return true;
  return no.has(plain) ? false : undefined;
}

/** What a value says of whether a skill is to be used; it is taken, but for names of skills. */
export function labelOf(label: ForeignValue): TriggerLabel | undefined {
  const { value } = label;
  if (typeof value === 'boolean' || value === 0 || value === 1) {
    label.take();
    return { kind: 'fires', fires: value === true || value === 1 };
  }
  if (typeof value === 'string') {
    const fires = firesOf(value);
    if (fires === undefined && !isNoSkill(value)) return { kind: 'skills', names: label };
    label.take();
    return fires === undefined ? { kind: 'none' } : { kind: 'fires', fires };
  }
  if (!label.list || !label.items().every((item) => typeof item.value === 'string')) return undefined;
  return label.items().length === 0 ? { kind: 'none' } : { kind: 'skills', names: label };
}

const undecided = new Set([
  'ambiguous',
  'borderline',
  'depends',
  'either',
  'maybe',
  'n/a',
  'optional',
  'perhaps',
  'possibly',
  'sometimes',
  'tbd',
  'todo',
  'unclear',
  'unknown',
  'unsure',
]);

/** Whether a label leaves it open: such a word is no name of a skill. */
export function isUndecided(text: string): boolean {
  const plain = text.trim().toLowerCase();
  return undecided.has(plain) || /^\?+$/u.test(plain);
}

/** Whether a text stands for no skill at all. */
export function isNoSkill(text: string): boolean {
  return ['', 'none', 'null', 'no_skill', 'no-skill'].includes(text.trim().toLowerCase());
}
