import type { SkillEntry } from '../../registry/skill-entry.js';

/** How much of a skill the catalogue shows: its whole description, the beginning of it, its name, or nothing. */
export type CatalogueLevel = 'full' | 'short' | 'name' | 'hidden';

/** A skill that a catalogue may show, and what speaks for it. */
export interface CatalogueCandidate {
  readonly entry: SkillEntry;
  /** Shown in full whatever it costs. */
  readonly pinned: boolean;
  /** In use, or of use for the request. */
  readonly relevant: boolean;
}

/** What a level of a skill costs, in tokens. */
export type LevelCost = (entry: SkillEntry, level: 'full' | 'short' | 'name') => number;

// The rest is for the names of all the others.
const shareOfRelevant = 0.5;

/**
 * Chooses how much is shown of each skill, so that all of it fits `budget`: everything in full where that fits; else the
 * pinned in full, those that are relevant as far as half of the budget goes, and the names of the others, the first ones
 * first. What is left then makes names into short descriptions, and these into full ones.
 *
 * @param candidates the most important first.
 */
export function chooseLevels(
  candidates: readonly CatalogueCandidate[],
  cost: LevelCost,
  budget: number,
): ReadonlyMap<SkillEntry, CatalogueLevel> {
  if (fitInFull(candidates, cost, budget)) return new Map(candidates.map(({ entry }) => [entry, 'full']));
  const levels = new Map<SkillEntry, CatalogueLevel>(candidates.map(({ entry }) => [entry, 'hidden']));
  let left = budget;
  const raise = (entry: SkillEntry, to: 'full' | 'short' | 'name', available: number): boolean => {
    const now = levels.get(entry) ?? 'hidden';
    const more = cost(entry, to) - (now === 'hidden' ? 0 : cost(entry, now));
    if (more > available) return false;
    left -= more;
    levels.set(entry, to);
    return true;
  };
  const pinned = candidates.filter((candidate) => candidate.pinned);
  const others = candidates.filter((candidate) => !candidate.pinned);
  for (const { entry } of pinned) raise(entry, 'full', Infinity);
  const reserve = left * (1 - shareOfRelevant);
  for (const { entry, relevant } of others) {
    if (relevant && !raise(entry, 'full', left - reserve)) raise(entry, 'short', left - reserve);
  }
  for (const { entry } of others) {
    // Where one name does not fit, hardly any other does; the search has them all.
    if (levels.get(entry) === 'hidden' && !raise(entry, 'name', left)) return levels;
  }
  for (const { entry } of others) if (levels.get(entry) === 'name') raise(entry, 'short', left);
  for (const { entry } of others) if (levels.get(entry) === 'short') raise(entry, 'full', left);
  return levels;
}

function fitInFull(candidates: readonly CatalogueCandidate[], cost: LevelCost, budget: number): boolean {
  let left = budget;
  for (const { entry } of candidates) {
    left -= cost(entry, 'full');
    if (left < 0) return false;
  }
  return true;
}
