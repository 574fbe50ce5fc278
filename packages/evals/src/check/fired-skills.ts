import type { RunEvent } from '@skillpack/core';
import { chosenSkills } from './chosen-skills.js';

/**
 * Names of the skills that the model chose, each once, in the order of the first choice: what `select_skills` named and
 * what there is. A skill that was there from the beginning, or that the person named, was not chosen.
 */
export function firedSkills(events: readonly RunEvent[]): readonly string[] {
  return chosenSkills(events).map(({ names }) => names[0] ?? '');
}
