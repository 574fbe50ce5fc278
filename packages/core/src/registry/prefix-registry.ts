import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import type { SkillRegistryPorts } from './create-skill-registry.js';
import { deriveRegistry } from './derive-registry.js';
import { mapListing } from './map-listing.js';
import type { SkillRegistry } from './skill-registry.js';

/** What a registry's names begin with. */
export interface PrefixRegistryOptions {
  /** `acme-` for `acme-pdf`, or `acme/` for `acme/pdf`: a letter or digit, then letters, digits, `.`, `_`, `-`, `/`, `:`. */
  readonly prefix: string;
}

/**
 * A registry whose skills bear other names, so that they shadow none of another registry. The name that a skill gives
 * itself stays in `head.name`.
 *
 * @throws `USAGE` for a prefix that no name can begin with.
 */
export function prefixRegistry(
  registry: SkillRegistry,
  ports: SkillRegistryPorts,
  { prefix }: PrefixRegistryOptions,
): SkillRegistry {
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._/:-]{0,63}$/u.test(prefix) || prefix.includes('..')) {
    throw new SkillsError('USAGE', `No name of a skill can begin with ${quoted(prefix)}.`, {
      hint: 'Give a prefix such as acme- or acme/.',
      data: { prefix },
    });
  }
  return deriveRegistry(
    {
      kind: registry.kind,
      bases: [registry],
      derive: (listing) => mapListing(listing, (entry) => ({ ...entry, name: `${prefix}${entry.name}` })),
    },
    ports,
  );
}
