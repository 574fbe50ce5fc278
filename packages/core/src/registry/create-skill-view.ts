import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { visibleText } from '../errors/visible-text.js';
import type { SkillRegistryPorts } from './create-skill-registry.js';
import { deriveRegistry } from './derive-registry.js';
import { mapListing } from './map-listing.js';
import type { SkillEntry } from './skill-entry.js';
import type { SkillRegistry } from './skill-registry.js';
import type { DisabledSkill, SkillView } from './skill-view.js';
import { suggestNames } from '../errors/suggest-names.js';

const longestReason = 500;

/** What a view begins with. */
export interface SkillViewOptions {
  /** What is switched off, also of skills that are not there now. @default nothing */
  readonly disabled?: readonly DisabledSkill[] | undefined;
}

/**
 * A registry as one session sees it. A name that is switched off is off whatever skill it means, also one that another
 * skill shadowed; no other view of the same registry notices.
 */
export function createSkillView(
  registry: SkillRegistry,
  ports: SkillRegistryPorts,
  { disabled = [] }: SkillViewOptions = {},
): SkillView {
  const off = new Map(disabled.map((one) => [one.name.normalize('NFC'), one]));
  const owned = new Map<string, string>();
  const revision = new Revision();
  const isOff = ({ name }: SkillEntry): boolean => off.has(name.normalize('NFC'));
  const view = deriveRegistry(
    {
      kind: registry.kind,
      bases: [registry],
      derive: (listing) => mapListing(listing, (entry) => (isOff(entry) ? undefined : entry)),
      revision: () => revision.number,
      onRevision: (changed) => revision.onChange(changed),
      search: async (query, options = {}) => {
        const { limit = 10 } = options;
        const found = await registry.search(query, { ...options, limit: limit + off.size });
        return found.filter(({ entry }) => !isOff(entry)).slice(0, limit);
      },
    },
    ports,
  );
  return {
    ...view,
    get loadInstructions() {
      return registry.loadInstructions;
    },
    get promptTemplate() {
      return registry.promptTemplate;
    },
    entries: async () => (await view.index()).skills,
    contains: async (name) => (await view.get(name)) !== undefined,
    size: async () => (await view.index()).skills.length,
    disable: async (name, { reason, by = 'user' } = {}) => {
      const entry = (await registry.get(name)) ?? (await refuse(registry, name));
      const key = entry.name.normalize('NFC');
      if (by === 'model' && off.get(key)?.by === 'user') return entry;
      const shown = reason === undefined ? undefined : visibleText(reason.slice(0, longestReason));
      off.set(key, { name: entry.name, reason: shown, by });
      owned.set(ownedName(entry), key);
      revision.change();
      return entry;
    },
    enable: async (name, { by = 'user' } = {}) => {
      const key = name.normalize('NFC');
      const known = off.has(key) ? key : ((await registry.get(name))?.name.normalize('NFC') ?? key);
      if (by === 'model') refuseForPeople(off.get(known));
      if (!off.delete(known)) return undefined;
      revision.change();
      return registry.get(known);
    },
    isDisabled: (name) => [name.normalize('NFC'), owned.get(name.normalize('NFC'))].some((key = '') => off.has(key)),
    disabled: () => [...off.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1)),
  };
}

/** Which state of a view it is, and who is told when it is another one. */
class Revision {
  readonly #listeners = new Set<() => void>();
  number = 0;

  change(): void {
    this.number += 1;
    for (const listener of this.#listeners) listener();
  }

  onChange(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }
}

/** How a skill that belongs to a pack is called as well: `org/pdf`. */
function ownedName({ name, pack }: SkillEntry): string {
  return `${pack?.split('/')[0] ?? ''}/${name}`.normalize('NFC');
}

function refuseForPeople(skill: DisabledSkill | undefined): void {
  if (skill?.by !== 'user') return;
  throw new SkillsError('TOOL_NOT_ALLOWED', `A person switched the skill ${quoted(skill.name)} off.`, {
    hint: 'Only a person can switch it on again: go on without it, or ask them.',
  });
}

async function refuse(registry: SkillRegistry, name: string): Promise<never> {
  const { skills } = await registry.index();
  const near = suggestNames(
    name,
    skills.map((entry) => entry.name),
  );
  throw new SkillsError('SKILL_NOT_FOUND', `There is no skill ${quoted(name)}.`, {
    hint: near.length === 0 ? undefined : `There is ${near.map((other) => quoted(other)).join(', ')}.`,
    data: { name, near },
  });
}
