import type { SkillEntry } from '../skill-entry.js';
import type { SkillMatch } from '../skill-registry.js';

/** What about a skill a query matches best. */
export type MatchKind = SkillMatch['matched'];

/** The names and the place of a skill, as they are compared with a query. */
export interface MatchableName {
  readonly name: string;
  /** `org/name` of a skill that a pack brought. */
  readonly qualified: string | undefined;
  readonly location: string;
}

const longest = 1_024;

/** Prepares an entry for {@link matchName}. */
export function matchableName({ name, pack, location }: SkillEntry): MatchableName {
  const folded = foldName(name);
  const organisation = pack?.slice(0, pack.indexOf('/') + 1);
  return {
    name: folded,
    qualified: organisation === undefined ? undefined : foldName(organisation) + folded,
    location: foldLocation(location),
  };
}

/**
 * How a query matches the name of a skill: as a whole, as the beginning, as a part, or not (`words`). Case counts
 * nothing, and a space is as good as a hyphen. `org/name` and the location are as good as the name, as a whole.
 */
export function matchName(query: MatchableQuery, skill: MatchableName): MatchKind {
  if (query.name === '') return 'words';
  if (skill.name === query.name || skill.qualified === query.name || skill.location === query.location) return 'name';
  if (skill.name.startsWith(query.name)) return 'name-prefix';
  return skill.name.includes(query.name) ? 'name-part' : 'words';
}

/** A query, as it is compared with names and locations. */
export interface MatchableQuery {
  readonly name: string;
  readonly location: string;
}

/** Prepares a query for {@link matchName}. */
export function matchableQuery(query: string): MatchableQuery {
  return { name: foldName(query), location: foldLocation(query) };
}

function foldName(text: string): string {
  const folded = text
    .slice(0, longest)
    .normalize('NFKC')
    .toLowerCase()
    .trim()
    .replaceAll(/[\s_-]+/gu, '-');
  return folded === '-' ? '' : folded;
}

function foldLocation(text: string): string {
  return text
    .slice(-longest)
    .trim()
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/\/(?:skill\.md)?$/iu, '');
}
