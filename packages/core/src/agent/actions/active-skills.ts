import type { RunScope } from '../run-scope.js';
import type { ActiveSkills } from './active-skill.js';

/** The skills that are active in a run. */
export function activeSkills({ state, library }: RunScope): ActiveSkills {
  return {
    activations: state().activations,
    view: library.view,
    loadFirst: 'Select it first with select_skills.',
  };
}
