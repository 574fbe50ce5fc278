import type { ParseSkillOptions } from './parse-skill-options.js';
import { parseSkillWith, whereSimple } from './parse-with.js';
import type { Skill } from './skill.js';
import { skillOf } from './skill-of.js';

/** As `readSkill`, and loads the YAML library only where the front matter needs it. @throws as `readSkill`. */
export async function readSkillLazily(source: string | Uint8Array, options: ParseSkillOptions = {}): Promise<Skill> {
  const simple = whereSimple((readYaml) => parseSkillWith(source, options, readYaml));
  return skillOf(simple ?? (await import('./parse-skill.js')).parseSkill(source, options), options);
}
