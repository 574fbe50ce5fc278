import type { ReadSkill } from '../run-scope.js';

/** Skills in the order in which they are loaded, and the names of those that went before others they name. */
export interface OrderedSkills {
  readonly skills: readonly ReadSkill[];
  readonly coordinating: readonly string[];
}

/** Those that coordinate go first: whose text names others of the selection, the more of them the earlier. */
export function orderSkills(skills: readonly ReadSkill[]): OrderedSkills {
  const named = new Map(
    skills.map((skill) => [skill, skills.filter((other) => other !== skill && names(skill, other)).length]),
  );
  const count = (skill: ReadSkill): number => named.get(skill) ?? 0;
  const ordered = skills.toSorted((left, right) => count(right) - count(left));
  const moved = ordered.some((skill, at) => skill !== skills[at]);
  return {
    skills: ordered,
    coordinating: moved ? ordered.filter((skill) => count(skill) > 0).map(({ entry }) => entry.name) : [],
  };
}

/** Whether the text of one names the other as a word of its own: `pdf`, not the end of `my-pdf`. */
function names({ text }: ReadSkill, { entry }: ReadSkill): boolean {
  const { body } = text.skill;
  for (let at = body.indexOf(entry.name); at !== -1; at = body.indexOf(entry.name, at + 1)) {
    const before = body.slice(Math.max(at - 1, 0), at);
    const after = body.slice(at + entry.name.length, at + entry.name.length + 1);
    if (!partOfName.test(before) && !partOfName.test(after)) return true;
  }
  return false;
}

const partOfName = /[\p{L}\p{N}_-]/u;
