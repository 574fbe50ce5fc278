import type { SkillProfile } from './skill.js';
import type { SkillLimits } from './skill-limits.js';
import type { SkillRules } from './skill-rules.js';

/** How a SKILL.md is read. */
export interface ParseSkillOptions {
  /** @default 'lenient' */
  readonly profile?: SkillProfile | undefined;
  /** The name of the folder that holds the file: a skill without a name gets it, and a name is compared with it. */
  readonly folder?: string | undefined;
  /** The name of the file. @default 'SKILL.md' */
  readonly fileName?: string | undefined;
  readonly rules?: SkillRules | undefined;
  /** Those that differ from {@link defaultSkillLimits}. */
  readonly limits?: Partial<SkillLimits> | undefined;
}

/** How the head of a SKILL.md is read. */
export interface ParseSkillHeadOptions extends ParseSkillOptions {
  /**
   * Whether `source` is only the beginning of the file. It has to reach past the front matter: a little more than
   * {@link SkillLimits.frontMatterBytes} always does. @default false
   */
  readonly partial?: boolean | undefined;
}
