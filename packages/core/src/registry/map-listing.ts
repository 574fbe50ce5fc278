import type { SkillListing } from './skill-backend.js';
import type { SkillEntry } from './skill-entry.js';

/** An entry of a registry that stands on another one, and the entry there that it stands for. */
export interface MappedEntry {
  readonly entry: SkillEntry;
  readonly origin: SkillEntry;
}

/** A listing whose entries were renamed, moved to another scope or left out. */
export interface MappedListing {
  readonly skills: readonly MappedEntry[];
  readonly shadowed: readonly (MappedEntry & { readonly by: string })[];
}

/**
 * The entries that `change` keeps, as it gives them back. A shadowed one whose winner is left out is shadowed no more.
 */
export function mapListing(
  listing: SkillListing,
  change: (entry: SkillEntry) => SkillEntry | undefined,
): MappedListing {
  const skills: MappedEntry[] = [];
  const shadowed: (MappedEntry & { readonly by: string })[] = [];
  const kept = new Set<string>();
  for (const origin of listing.skills) {
    const entry = change(origin);
    if (entry === undefined) continue;
    skills.push({ entry, origin });
    kept.add(origin.location);
  }
  for (const { entry: origin, by } of listing.shadowed ?? []) {
    const entry = change(origin);
    if (entry === undefined) continue;
    if (kept.has(by)) shadowed.push({ entry, origin, by });
    else skills.push({ entry, origin });
  }
  return { skills, shadowed };
}
