import type { SkillEntry, SkillScope } from '@skillpack/core';

/** A skill, as a chat lists it. */
export interface ChatSkill {
  readonly name: string;
  readonly scope: SkillScope;
  readonly description: string;
  /** `active`: its text is in the conversation. `off`: switched off for this chat. */
  readonly state: 'active' | 'off' | 'offered';
  /** Whether a person may call it by its name. */
  readonly callable: boolean;
}

/** A skill of a registry as a chat lists it. */
export function chatSkill({ name, scope, head }: SkillEntry, state: ChatSkill['state']): ChatSkill {
  return { name, scope, description: head.description ?? '', state, callable: head.userInvocable };
}
