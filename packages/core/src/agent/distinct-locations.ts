import type { SkillListing } from '../registry/skill-backend.js';
import type { SkillEntry } from '../registry/skill-entry.js';

/**
 * A listing in which every skill has a place of its own: what tells two places apart may have been redacted, and then one
 * skill would be read as the other. The second of them gets a number behind it.
 */
export function distinctLocations(listing: SkillListing): SkillListing {
  const taken = new Set<string>();
  const distinct = (entry: SkillEntry): SkillEntry => {
    let { location } = entry;
    for (let number = 2; taken.has(location); number += 1) location = `${entry.location} (${number})`;
    taken.add(location);
    return { ...entry, location };
  };
  const skills = listing.skills.map(distinct);
  const { shadowed } = listing;
  if (shadowed === undefined) return { ...listing, skills };
  return { ...listing, skills, shadowed: shadowed.map((other) => ({ ...other, entry: distinct(other.entry) })) };
}
