import { basename } from 'node:path';
import { visibleText, type SkillIndex } from '@skillpack/core';

/** A folder whose SKILL.md was refused, so that it is no skill. */
export interface RefusedSkill {
  /** Of the folder: what the skill would be called. */
  readonly name: string;
  readonly location: string;
  /** Why, in a sentence. */
  readonly message: string;
}

/** The skills that an index does not offer, since what they say of themselves was refused. */
export function refusedSkills({ problems }: Pick<SkillIndex, 'problems'>): readonly RefusedSkill[] {
  return problems
    .filter(({ code }) => code === 'refused')
    .map(({ location, message }) => ({ name: basename(location), location, message: visibleText(message) }));
}

/** The one that a name would mean. */
export function refusedAs(name: string, index: Pick<SkillIndex, 'problems'>): RefusedSkill | undefined {
  return refusedSkills(index).find((one) => one.name.normalize('NFC') === name.normalize('NFC'));
}
