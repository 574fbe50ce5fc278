import { parseSkillLazily } from './parse-skill-lazily.js';
import type { ParseSkillOptions } from './parse-skill-options.js';
import type { Skill } from './skill.js';
import { skillOf } from './skill-of.js';

/** As `readSkill`, in the way of {@link parseSkillLazily}. @throws as `readSkill`. */
export async function readSkillLazily(source: string | Uint8Array, options: ParseSkillOptions = {}): Promise<Skill> {
  return skillOf(await parseSkillLazily(source, options), options);
}
