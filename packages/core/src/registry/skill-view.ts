import type { SkillEntry } from './skill-entry.js';
import type { SkillRegistry } from './skill-registry.js';

/** Why a skill is switched off in a session. */
export interface DisabledSkill {
  readonly name: string;
  readonly reason: string | undefined;
}

/**
 * A registry as one session sees it: skills can be switched off in it, and nobody else who reads the registry beneath
 * notices. A skill that is off is in no index, no search and no answer of `get`.
 */
export interface SkillView extends SkillRegistry {
  /** All that is offered, by name. */
  entries(): Promise<readonly SkillEntry[]>;
  contains(name: string): Promise<boolean>;
  size(): Promise<number>;
  /** @throws `SKILL_NOT_FOUND`. */
  disable(name: string, reason?: string): Promise<SkillEntry>;
  /** Switches it on again; `undefined` where it was not off, or is not there any more. */
  enable(name: string): Promise<SkillEntry | undefined>;
  isDisabled(name: string): boolean;
  disabled(): readonly DisabledSkill[];
}
