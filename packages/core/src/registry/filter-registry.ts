import type { SkillRegistryPorts } from './create-skill-registry.js';
import { deriveRegistry } from './derive-registry.js';
import { mapListing } from './map-listing.js';
import type { SkillEntry } from './skill-entry.js';
import type { SkillRegistry } from './skill-registry.js';

/** Which skills a filter keeps. */
export interface FilterRegistryOptions {
  /** Whether a skill is offered. Asked again for each new index; has to answer the same for the same entry. */
  readonly keep: (entry: SkillEntry) => boolean;
}

/**
 * The part of a registry that `keep` says yes to; of all others nothing is offered, found or read. Where a skill is left
 * out, one that it shadowed takes its place if that is kept.
 */
export function filterRegistry(
  registry: SkillRegistry,
  ports: SkillRegistryPorts,
  { keep }: FilterRegistryOptions,
): SkillRegistry {
  return deriveRegistry(
    {
      kind: registry.kind,
      bases: [registry],
      derive: (listing) => mapListing(listing, (entry) => (keep(entry) ? entry : undefined)),
    },
    ports,
  );
}
