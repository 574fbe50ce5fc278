import type { SkillEntry } from './skill-entry.js';
import type { SkillRegistry } from './skill-registry.js';

/** Why a skill is switched off in a session. */
export interface DisabledSkill {
  readonly name: string;
  readonly reason: string | undefined;
  /** @default 'user' */
  readonly by?: SwitchedBy | undefined;
}

/** Who switches a skill: the model by a tool or an action, or a person or their program. */
export type SwitchedBy = 'model' | 'user';

/** On whose behalf a skill is switched. */
export interface SwitchOptions {
  /** @default 'user' */
  readonly by?: SwitchedBy | undefined;
}

/** Why a skill is switched off, and on whose behalf. */
export interface DisableOptions extends SwitchOptions {
  /** Shown where the skill is missed; of a long one the first 500 characters. @default none */
  readonly reason?: string | undefined;
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
  /** One that a person switched off stays theirs. @throws `SKILL_NOT_FOUND`. */
  disable(name: string, options?: DisableOptions): Promise<SkillEntry>;
  /**
   * Switches it on again; `undefined` where it was not off, or is not there any more.
   *
   * @throws `TOOL_NOT_ALLOWED` where a model asks for one that a person switched off.
   */
  enable(name: string, options?: SwitchOptions): Promise<SkillEntry | undefined>;
  /** Of a name, also `org/pdf` of a skill that was switched off. */
  isDisabled(name: string): boolean;
  disabled(): readonly DisabledSkill[];
}
