import { invisibleCharacters } from '../errors/visible-text.js';
import { defaultAllowedToolsMode } from './allowed-tools-mode.js';
import type { Certainty, PatternReading } from './pattern-reading.js';
import type { PolicySkill } from './tool-use.js';

/** A skill on whose behalf something is done: `pdf`, `org/pdf`, `org/*`. */
export type SkillPattern =
  /** By its name alone, wherever it comes from. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'pack'; readonly pack: string }
  /** Any pack of it; it ends with a slash. */
  | { readonly kind: 'organisation'; readonly prefix: string };

/** What a rule does with what it means: any pack can bring a skill of any name, so a name alone allows nothing of others. */
export type RuleList = 'allow' | 'ask' | 'deny';

/** Reads what stands behind `skill:`. */
export function parseSkillPattern(text: string): PatternReading<SkillPattern> {
  if (/^[a-z0-9-]+\/\*$/u.test(text)) return { pattern: { kind: 'organisation', prefix: text.slice(0, -1) } };
  if (/^[a-z0-9-]+\/[a-z0-9-]+$/u.test(text)) return { pattern: { kind: 'pack', pack: text } };
  if (text !== '' && text === text.trim() && !/[*/\\]/u.test(text) && text.search(invisibleCharacters) === -1) {
    return { pattern: { kind: 'name', name: text } };
  }
  return {
    problem:
      'Behind skill: stands pdf for a skill, org/pdf for a pack or org/* for an organisation; for every skill, write the name of the tool alone.',
  };
}

/** How a skill is held against a pattern. */
export interface SkillMatch {
  readonly certainty: Certainty;
  readonly list: RuleList;
}

/** Whether a skill is meant; of what is done on behalf of none, nobody knows whose text is behind it. */
export function matchesSkill(
  pattern: SkillPattern,
  skill: PolicySkill | undefined,
  { certainty, list }: SkillMatch,
): boolean {
  if (skill === undefined) return certainty === 'possibly';
  const fold = (text: string): string => (certainty === 'surely' ? text : text.toLowerCase()).normalize('NFC');
  const pack = skill.pack === undefined ? undefined : fold(skill.pack);
  switch (pattern.kind) {
    case 'organisation':
      return pack?.startsWith(fold(pattern.prefix)) === true;
    case 'pack':
      return pack === fold(pattern.pack);
    case 'name': {
      const named = fold(skill.name) === fold(pattern.name);
      return named && (list !== 'allow' || defaultAllowedToolsMode(skill) === 'grant');
    }
  }
}
