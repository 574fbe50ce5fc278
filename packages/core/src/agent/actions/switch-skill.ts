import { quoted } from '../../errors/quoted.js';
import { SkillsError } from '../../errors/skills-error.js';
import type { AgentAction } from '../../model/action.js';
import type { ActionContext, Observation } from '../run-scope.js';
import { availableSkills, isOffered } from './offered-skills.js';

type SwitchSkill = AgentAction & { readonly kind: 'disable_skill' | 'enable_skill' };

/** Switches a skill off or on again, for this run alone. */
export async function switchSkill(action: SwitchSkill, { scope }: ActionContext): Promise<Observation> {
  const { library, recorder } = scope;
  const { name } = action.skill;
  if (action.kind === 'disable_skill') {
    const entry = await library.view.get(action.skill);
    // What a model is not told of is not its to take away.
    if (entry === undefined || !isOffered(entry, scope.state())) {
      const off = library.view.isDisabled(name);
      const message = off ? `The skill ${quoted(name)} is switched off already.` : `There is no skill ${quoted(name)}.`;
      throw new SkillsError('SKILL_NOT_FOUND', message, { hint: await availableSkills(scope) });
    }
    const { reason } = action;
    await recorder.append(scope.id, { type: 'skill_disabled', name: entry.name, reason, by: 'model' });
    await library.view.disable(entry.name, { reason, by: 'model' });
    return done(`The skill ${quoted(entry.name)} is switched off for this run.`, entry.name);
  }
  const entry = await library.view.enable(name, { by: 'model' });
  if (entry === undefined) {
    const own = library.view.disabled().flatMap((other) => (other.by === 'model' ? [quoted(other.name)] : []));
    throw new SkillsError('SKILL_NOT_FOUND', `The skill ${quoted(name)} is not switched off.`, {
      hint: own.length === 0 ? 'None is.' : `You switched off ${own.join(', ')}.`,
    });
  }
  await recorder.append(scope.id, { type: 'skill_enabled', name: entry.name, by: 'model' });
  return done(`The skill ${quoted(entry.name)} is on again.`, entry.name);
}

function done(content: string, skill: string): Observation {
  return { ok: true, content, output: { skill } };
}
