import { parseSkill } from './parse-skill.js';
import type { ParseSkillOptions } from './parse-skill-options.js';
import { skillOf } from './skill-of.js';
import type { Skill } from './skill.js';

/**
 * As {@link parseSkill}, for callers that cannot go on without the skill.
 *
 * @throws `INVALID_FRONTMATTER` when the front matter is not written as the profile wants it, `INVALID_SKILL` when what it
 * says breaks a rule. `data.diagnostics` holds every finding.
 */
export function readSkill(source: string | Uint8Array, options: ParseSkillOptions = {}): Skill {
  return skillOf(parseSkill(source, options), options);
}
