import { quoted } from '../../errors/quoted.js';
import type { SkillEntry } from '../../registry/skill-entry.js';
import type { RunScope } from '../run-scope.js';
import type { RunState } from '../run-state.js';

const mostNamed = 40;

/** Whether a model is offered a skill: it has a description, and refuses models neither in the index nor by a text that was read. */
export function isOffered({ head, location }: SkillEntry, { forPeople }: Pick<RunState, 'forPeople'>): boolean {
  return head.modelInvocable && head.description !== undefined && forPeople?.includes(location) !== true;
}

/** The names of the skills that a model may select, in a sentence; without one that was found just now to be for people. */
export async function availableSkills(scope: RunScope, refused?: SkillEntry): Promise<string> {
  const { skills } = await scope.library.view.index();
  const state = scope.state();
  const names = skills
    .filter((entry) => isOffered(entry, state) && entry.location !== refused?.location)
    .map(({ name }) => quoted(name, 64));
  const off = scope.library.view.disabled().map(({ name }) => quoted(name, 64));
  if (names.length === 0 && off.length > 0) return `No skills are available; switched off: ${off.join(', ')}.`;
  if (names.length === 0) return 'No skills are available.';
  const more = names.length > mostNamed ? `, and ${names.length - mostNamed} more: use search_skills` : '';
  return `Available: ${names.slice(0, mostNamed).join(', ')}${more}.`;
}
