import type { SkillHead, SkillRegistry } from '@skillpack/core';

/**
 * A registry in which skills have allowed tools only where somebody granted them. A server that fills in `allowed-tools`
 * asks for something here; it does not say something of itself.
 *
 * @param granted whether those of the skill at a location count.
 */
export function withGrantedTools(registry: SkillRegistry, granted: (location: string) => boolean): SkillRegistry {
  return {
    ...registry,
    body: async (entry, options) => {
      const text = await registry.body(entry, options);
      return granted(entry.location) ? text : { ...text, skill: withoutTools(text.skill) };
    },
  };
}

/** A head, or a skill, without allowed tools. */
export function withoutTools<Head extends SkillHead>(head: Head): Head {
  return { ...head, allowedTools: undefined };
}
