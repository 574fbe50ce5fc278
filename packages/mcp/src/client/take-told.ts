import { visibleText, type IndexProblem } from '@skillpack/core';
import type { ToldList } from './list-told.js';
import { checkTold, type RefusedSkill, type ToldPlace, type ToldSkill } from './told-skill.js';

/** What is taken of what a server told. */
export interface TakenSkills {
  /** By location. */
  readonly skills: ReadonlyMap<string, ToldSkill>;
  readonly problems: readonly IndexProblem[];
}

/**
 * Checks entry by entry. Of several at one location, which addresses that are written in different ways lead to, none is
 * taken: nobody could say which of them is meant.
 */
export function takeTold(entries: ToldList['entries'], place: ToldPlace): TakenSkills {
  const skills = new Map<string, ToldSkill>();
  const several = new Set<string>();
  const problems: IndexProblem[] = [];
  const location = `mcp://${place.origin}`;
  for (const { value, index } of entries) {
    const skill = checkTold(value, place);
    if (skill.kind === 'refused') problems.push({ code: 'refused', location, message: refusalOf(skill, index) });
    else if (skills.has(skill.entry.location)) several.add(skill.entry.location);
    else skills.set(skill.entry.location, skill);
  }
  for (const one of several) {
    skills.delete(one);
    problems.push({ code: 'ignored', location, message: `${one} was told at several addresses; none is taken.` });
  }
  return { skills, problems };
}

function refusalOf({ reason, address }: RefusedSkill, index: number): string {
  return `${address === undefined ? `entry ${index + 1}` : visibleText(address.slice(0, 300))}: ${reason}.`;
}
