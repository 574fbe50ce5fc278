import { chanceOf, textOf } from '../fixtures/seeded-text.ts';
import type { BenchSkill, LabelledQuery, LabelledSkills } from './labelled-skills.ts';

/** Skills and requests of words that mean nothing, the same on every machine: for times alone. */
export function madeSkills(): LabelledSkills {
  const chance = chanceOf(3);
  const line = (length: number): string => textOf(length, chance).replaceAll('\n', ' ').trim();
  const skills = Array.from({ length: 145 }, (_, index): BenchSkill => {
    const name = `${line(14).replaceAll(' ', '-')}-${index}`;
    return { id: name, name, description: line(200 + Math.floor(chance() * 400)), location: `/skills/${name}` };
  });
  const queries = Array.from({ length: 300 }, (_, index): LabelledQuery => {
    const skill = skills[index % skills.length];
    return { query: line(20 + Math.floor(chance() * 160)), gold: skill === undefined ? [] : [skill.id] };
  });
  return { skills, queries };
}
