import type { Sha256 } from '../digest/digest.js';
import type { Digest } from '../digest/is-digest.js';
import { layerSkills } from './layer-skills.js';
import type { SkillListing } from './skill-backend.js';
import type { IndexProblem, ShadowedSkill, SkillEntry, SkillIndex } from './skill-entry.js';
import { skillRow } from './skill-row.js';

/**
 * Decides what a listing offers: of each name the entry of the highest scope, of each location the first entry. The hash
 * is made when it is asked for.
 */
export function makeSkillIndex(listing: SkillListing, sha256: Sha256): SkillIndex {
  const problems: IndexProblem[] = [...(listing.problems ?? [])];
  const places = new Map<string, SkillEntry>();
  const entries = listing.skills.filter((entry) => claim(entry, places, problems));
  const { skills, conflicts } = layerSkills(entries.map((entry) => ({ scope: entry.scope, skills: [entry] })));
  const shadowed: ShadowedSkill[] = conflicts.flatMap((conflict) =>
    conflict.shadowed.map((entry) => ({ entry, by: conflict.winner.location })),
  );
  const winners = new Map(skills.map((entry) => [entry.name.normalize('NFC'), entry.location]));
  for (const { entry, by } of listing.shadowed ?? []) {
    if (claim(entry, places, problems)) shadowed.push({ entry, by: winners.get(entry.name.normalize('NFC')) ?? by });
  }
  let hash: Digest | undefined;
  return {
    skills,
    shadowed,
    problems,
    get hash() {
      return (hash ??= sha256(skills.map(skillRow).join('')));
    },
  };
}

/** Whether the entry is the first at its location. */
function claim(entry: SkillEntry, places: Map<string, SkillEntry>, problems: IndexProblem[]): boolean {
  const first = places.get(entry.location);
  if (first === undefined) {
    places.set(entry.location, entry);
    return true;
  }
  // One folder that was reached in two ways is nothing that a person has to know.
  if (first !== entry && skillRow({ ...entry, scope: first.scope }) !== skillRow(first)) {
    problems.push({
      code: 'ignored',
      location: entry.location,
      message: `Two skills, ${first.name} and ${entry.name}, are said to be at one place; the first is offered.`,
    });
  }
  return false;
}
