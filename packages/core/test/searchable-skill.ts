import type { SkillEntry } from '../src/registry/skill-entry.js';
import type { SearchableSkill } from '../src/registry/search/skill-search.js';

/** Where a skill is, and what its text says. */
export interface SearchablePlace {
  readonly location?: string;
  readonly pack?: string;
  readonly body?: string;
}

/** A skill that is searched for. */
export function searchableSkill(name: string, description: string, place: SearchablePlace = {}): SearchableSkill {
  const entry: SkillEntry = {
    name,
    scope: 'user',
    location: place.location ?? `/home/ada/.agents/skills/${name}`,
    pack: place.pack,
    packVersion: undefined,
    digest: undefined,
    head: {
      name,
      description,
      license: undefined,
      compatibility: undefined,
      metadata: {},
      allowedTools: undefined,
      version: undefined,
      author: undefined,
      modelInvocable: true,
      userInvocable: true,
      runMode: 'inline',
      frontMatter: {},
      bodyLine: 5,
    },
    diagnostics: [],
  };
  return { entry, body: place.body };
}
