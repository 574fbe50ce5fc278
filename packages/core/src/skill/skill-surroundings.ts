import type { SkillProfile } from './skill.js';

/** What is known of a skill besides its text. */
export interface SkillSurroundings {
  readonly profile: SkillProfile;
  /** The name of the folder that holds the file. */
  readonly folder: string | undefined;
  readonly bodyLine: number;
}
