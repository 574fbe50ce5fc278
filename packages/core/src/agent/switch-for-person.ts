import type { SkillReference } from '../registry/skill-entry.js';
import type { DisabledSkill, DisableOptions } from '../registry/skill-view.js';
import { disabledSkill } from './disabled-skill.js';
import { findSkill } from './find-skill.js';
import { readIndexAnew } from './index-change.js';
import type { ReadSkill, RunScope } from './run-scope.js';

/**
 * Switches a skill off on behalf of a person; one that came to the registry a moment ago, too, where the run follows it.
 *
 * @throws `SKILL_NOT_FOUND`.
 */
export async function disableForPerson(
  scope: RunScope,
  skill: string,
  { reason }: Pick<DisableOptions, 'reason'>,
): Promise<DisabledSkill> {
  const { library, recorder, settings } = scope;
  if (settings.autoReload && settings.enableSkills) await readIndexAnew(scope);
  const { name } = await library.view.disable(skill, { reason, by: 'user' });
  const off = disabledSkill(library.view, name) ?? { name, reason: undefined, by: 'user' };
  await recorder.append(scope.id, { type: 'skill_disabled', name, reason: off.reason, by: 'user' });
  return off;
}

/** Switches a skill on again, whoever switched it off; `undefined` where it was not off. */
export async function enableForPerson(scope: RunScope, skill: string): Promise<DisabledSkill | undefined> {
  const { library, recorder } = scope;
  const off = disabledSkill(library.view, skill);
  if (off === undefined) return undefined;
  await library.view.enable(off.name, { by: 'user' });
  await recorder.append(scope.id, { type: 'skill_enabled', name: off.name, by: 'user' });
  return off;
}

/**
 * Reads a skill that a person names: that is to be used, also where a model switched it off.
 *
 * @throws `SKILL_NOT_FOUND`, also for one that a person switched off, and what reading it throws: then it stays off.
 */
export async function findForPerson(scope: RunScope, skill: string | SkillReference): Promise<ReadSkill> {
  const { view } = scope.library;
  const off = disabledSkill(view, skill);
  if (off?.by !== 'model') return findSkill(scope, skill);
  await view.enable(off.name, { by: 'user' });
  try {
    const found = await findSkill(scope, skill);
    await scope.recorder.append(scope.id, { type: 'skill_enabled', name: off.name, by: 'user' });
    return found;
  } catch (error) {
    if (await view.contains(off.name)) await view.disable(off.name, off);
    throw error;
  }
}
