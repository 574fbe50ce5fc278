import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import type { SkillReference } from '../registry/skill-entry.js';
import { readSkillText } from './activate-skill.js';
import type { ReadSkill, RunScope } from './run-scope.js';

const mostNamed = 20;

/** @throws `SKILL_NOT_FOUND`, also for one that is switched off, and what reading it throws. */
export async function findSkill(scope: RunScope, reference: string | SkillReference): Promise<ReadSkill> {
  const { view } = scope.library;
  const entry = await view.get(reference);
  if (entry !== undefined) return readSkillText(scope, entry);
  const { name, source } = typeof reference === 'string' ? { name: reference, source: undefined } : reference;
  if (view.isDisabled(name)) {
    throw new SkillsError('SKILL_NOT_FOUND', `The skill ${quoted(name)} is switched off in this run.`, {
      hint: 'Ask for it to be switched on again.',
    });
  }
  const meant = source === undefined ? quoted(name) : `${quoted(name)} of the source ${source}`;
  throw new SkillsError('SKILL_NOT_FOUND', `There is no skill ${meant}.`, { hint: await namesIn(scope) });
}

async function namesIn({ library: { view } }: RunScope): Promise<string> {
  const { skills } = await view.index();
  const names = skills.slice(0, mostNamed).map(({ name }) => quoted(name));
  const off = view.disabled().map(({ name }) => quoted(name));
  const there = names.length === 0 ? 'There are no skills' : `There is ${names.join(', ')}`;
  return off.length === 0 ? `${there}.` : `${there}; switched off: ${off.slice(0, mostNamed).join(', ')}.`;
}
