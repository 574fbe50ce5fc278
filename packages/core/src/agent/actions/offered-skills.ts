import { quoted } from '../../errors/quoted.js';
import type { SkillEntry } from '../../registry/skill-entry.js';
import type { RunScope } from '../run-scope.js';

const mostNamed = 40;

/** Whether a model is offered a skill, as far as the index knows: it has a description, and does not refuse models. */
export function isOffered({ head }: SkillEntry): boolean {
  return head.modelInvocable && head.description !== undefined;
}

/** The names of the skills that a model may select, in a sentence; without one that it may not, as its text says. */
export async function availableSkills(scope: RunScope, refused?: SkillEntry): Promise<string> {
  const { skills } = await scope.library.view.index();
  const names = skills
    .filter((entry) => isOffered(entry) && entry.location !== refused?.location)
    .map(({ name }) => quoted(name, 64));
  if (names.length === 0) return 'No skills are available.';
  const more = names.length > mostNamed ? `, and ${names.length - mostNamed} more: use search_skills` : '';
  return `Available: ${names.slice(0, mostNamed).join(', ')}${more}.`;
}
