import { visibleText } from '../errors/visible-text.js';
import type { SkillRegistryPorts } from './create-skill-registry.js';
import { deriveRegistry, type DerivedListing } from './derive-registry.js';
import type { SkillScope } from './layer-skills.js';
import { mapListing } from './map-listing.js';
import type { SkillListing } from './skill-backend.js';
import type { IndexProblem, SkillEntry } from './skill-entry.js';
import type { SkillRegistry } from './skill-registry.js';

/** One of several registries that are laid over one another. */
export interface RegistryLayer {
  readonly registry: SkillRegistry;
  /** The scope that its skills have here. @default the one each has there */
  readonly scope?: SkillScope | undefined;
  /** Whether its skills are offered. @default true, but false for each skill of the scope `project` */
  readonly trusted?: boolean | undefined;
}

const mostNamed = 5;

/**
 * Registries laid over one another: of each name the skill of the higher scope is offered, within a scope that of the
 * earlier layer; the others are reported as shadowed, and can still be had with `{ name, source }` or by location. The
 * skills of a project are those of whoever wrote it: they are left out, and a problem says so, unless their layer is
 * trusted. A layer that cannot be read is a problem, and keeps no other from loading.
 *
 * How skills are loaded and the template of the catalogue are those of the first layer that brings some: of those that
 * were read, offer a skill, and of which nothing was left out for want of trust. Before anything was read there are none.
 */
export function layerRegistries(layers: readonly RegistryLayer[], ports: SkillRegistryPorts): SkillRegistry {
  return deriveRegistry(
    {
      kind: 'layers',
      bases: layers.map(({ registry }) => registry),
      derive: (listing, base) => deriveLayer(listing, layers[base]),
      // What nobody trusts tells a model nothing, neither by its skills nor beside them.
      speaks: ({ skills, problems = [] }) => skills.length > 0 && problems.length === 0,
    },
    ports,
  );
}

function deriveLayer(listing: SkillListing, layer: RegistryLayer | undefined): DerivedListing {
  const refused: SkillEntry[] = [];
  const mapped = mapListing(listing, (entry) => {
    const scope = layer?.scope ?? entry.scope;
    if (layer?.trusted ?? scope !== 'project') return scope === entry.scope ? entry : { ...entry, scope };
    refused.push(entry);
    return undefined;
  });
  return { ...mapped, problems: refused.length === 0 ? [] : [untrusted(refused)] };
}

function untrusted(refused: readonly SkillEntry[]): IndexProblem {
  const location = commonFolder(refused.map((entry) => entry.location));
  const names = refused.slice(0, mostNamed).map(({ name }) => visibleText(name.slice(0, 100)));
  const more = refused.length > mostNamed ? ` and ${refused.length - mostNamed} more` : '';
  const skills = refused.length === 1 ? 'One skill' : `${refused.length} skills`;
  return {
    code: 'untrusted',
    location,
    message: `${skills} of a place that is not trusted ${refused.length === 1 ? 'is' : 'are'} left out: ${names.join(', ')}${more}.`,
  };
}

/** The folder that all locations have in common. */
function commonFolder(locations: readonly string[]): string {
  let common = parentOf(locations[0] ?? '');
  for (const location of locations) {
    while (common !== '' && !location.startsWith(`${common}/`) && !location.startsWith(`${common}\\`)) {
      common = parentOf(common);
    }
  }
  return common;
}

function parentOf(location: string): string {
  return location.slice(0, Math.max(0, location.search(/[\\/][^\\/]*$/u)));
}
