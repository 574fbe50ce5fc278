import type { SkillReference } from '../registry/skill-entry.js';
import { activateSkill } from './activate-skill.js';
import type { RunScope } from './run-scope.js';

/**
 * Looks at the text of each active skill; one that is another one now is activated anew, and what cannot be read stays as
 * it was. One that forbids models now, as the index says, is missing from the prompt, and unlocks no tools.
 *
 * @param called the skill that the request names, which is read for it anyway.
 * @throws `INTERRUPTED`; what the record throws.
 */
export async function readChangedSkills(scope: RunScope, called?: string | SkillReference): Promise<void> {
  const { library, bodies } = scope;
  const other = called === undefined ? undefined : await library.view.get(called);
  for (const before of scope.state().activations) {
    const { location, runMode, by, reason } = before;
    const entry = runMode === 'inline' ? await library.view.getByPath(location) : undefined;
    if (entry === undefined || location === other?.location) continue;
    if (by === 'model' && !entry.head.modelInvocable) bodies.delete(location);
    else {
      // One that could not be read when the run went on is missing from the prompt.
      const digest = bodies.has(location) ? before.digest : undefined;
      const text = await library.changedText(entry, { digest, by });
      if (text !== undefined) await activateSkill(scope, { entry, text, files: [] }, { by, reason });
    }
  }
}
