import { SkillsError } from '../errors/skills-error.js';
import { assembleRegistry } from './assemble-registry.js';
import { boundWatch } from './bound-watch.js';
import { checkListing } from './check-listing.js';
import { KeptIndex } from './kept-index.js';
import type { SkillIndex } from './skill-entry.js';
import type { RegistryOptions } from './skill-backend.js';
import type { SkillRegistry } from './skill-registry.js';

/** What a cache of a registry takes from its surroundings. */
export interface CacheRegistryPorts {
  /** Milliseconds. */
  readonly clock: { now(): number };
}

/** How long what was read counts. */
export interface CacheRegistryOptions {
  /** Milliseconds. @default 60000 */
  readonly ttl?: number | undefined;
}

/**
 * A registry that is read anew by itself: an index counts for a time, then the next call reads it again, once however
 * many ask. When that fails, the last good one counts for another such time, with a problem `stale`. Content is read
 * from the registry beneath whenever it is asked for.
 *
 * @throws `USAGE` for a time that is no number of milliseconds.
 */
export function cacheRegistry(
  registry: SkillRegistry,
  { clock }: CacheRegistryPorts,
  options: CacheRegistryOptions = {},
): SkillRegistry {
  const ttl = options.ttl ?? 60_000;
  if (!(ttl >= 0)) throw new SkillsError('USAGE', `A registry cannot be kept for ${ttl} milliseconds.`);
  let readAt: number | undefined;
  const kept = new KeptIndex({
    kind: registry.kind,
    watch: boundWatch(registry),
    read: async (reading) => {
      try {
        const index = await (readAt === undefined ? registry.index(reading) : registry.reload(reading));
        return checkListing(index, registry.kind);
      } finally {
        if (reading.signal?.aborted !== true) readAt = clock.now();
      }
    },
  });
  const index = async (reading: RegistryOptions): Promise<SkillIndex> => {
    const age = readAt === undefined ? Infinity : clock.now() - readAt;
    // A clock that was put back says nothing about the age.
    return age >= 0 && age < ttl ? kept.index(reading) : kept.refresh(reading);
  };
  return assembleRegistry({
    kind: registry.kind,
    get loadInstructions() {
      return registry.loadInstructions;
    },
    get promptTemplate() {
      return registry.promptTemplate;
    },
    list: async (reading) => checkListing(await registry.list(reading), registry.kind),
    watch: boundWatch(registry),
    index,
    reload: async (reading) => kept.reload(reading),
    subscribe: async (listener) => kept.subscribe(listener),
    files: async (skill, reading) => registry.files(skill, reading),
    bytes: async (skill, path, reading) => registry.bytes(skill, path, reading),
    body: async (skill, reading) => registry.body(skill, reading),
    searchText: registry.searchText,
    read: async (skill, path, reading) => registry.read(skill, path, reading),
  });
}
