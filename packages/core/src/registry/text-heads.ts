import type { RegistryOptions } from './skill-backend.js';
import type { SkillEntry, SkillIndex } from './skill-entry.js';
import type { SkillText } from './skill-registry.js';

/** UTF-16 code units of a text that a search looks into. */
const headLength = 2_000;

/** Where texts and the index they belong to come from. */
export interface TextSource {
  index(options: RegistryOptions): Promise<SkillIndex>;
  body(skill: SkillEntry, options: RegistryOptions): Promise<SkillText>;
}

/**
 * Reads the beginnings of texts, each once an index, whether one search looks into it or those of several registries that
 * stand on this one.
 */
export function keepTextHeads(source: TextSource): (skill: SkillEntry, options?: RegistryOptions) => Promise<string> {
  const indexes = new WeakMap<SkillIndex, Map<SkillEntry, string>>();
  return async (skill, options = {}) => {
    const index = await source.index(options);
    const heads = indexes.get(index) ?? new Map<SkillEntry, string>();
    indexes.set(index, heads);
    const known = heads.get(skill);
    if (known !== undefined) return known;
    const { body } = (await source.body(skill, options)).skill;
    const head = body.slice(0, headLength).toWellFormed();
    heads.set(skill, head);
    return head;
  };
}
