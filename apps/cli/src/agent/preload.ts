import { quoted, SkillsError } from '@skillpack/core';
import { nearestName } from '../frame/nearest-name.js';
import { shellLine } from './approving-command.js';
import type { OfferedSkills } from './offer-skills.js';

/** The names in a list with commas. @throws `USAGE` for an empty one. */
export function preloadOf(list: string | undefined): readonly string[] {
  const names = list?.split(',').map((name) => name.trim()) ?? [];
  if (!names.includes('')) return names;
  throw new SkillsError('USAGE', `--skill is ${quoted(list ?? '')}; expected names with commas between them.`);
}

/** @throws `SKILL_NOT_FOUND`, `APPROVAL_REQUIRED` for a skill of a project that is not trusted. */
export async function checkPreload(
  names: readonly string[],
  offered: OfferedSkills,
  signal: AbortSignal,
): Promise<void> {
  for (const name of names) {
    if ((await offered.registry.get(name, { signal })) !== undefined) continue;
    if (offered.withheld.includes(name)) throw untrustedSkill(name);
    const { skills } = await offered.registry.index({ signal });
    const known = skills.map((skill) => skill.name);
    const nearest = nearestName(name, known);
    const there = `There is ${known.slice(0, 20).join(', ')}${known.length > 20 ? ', …' : ''}.`;
    throw new SkillsError('SKILL_NOT_FOUND', `No skill here is called ${quoted(name)}.`, {
      hint:
        known.length === 0
          ? 'There are no skills here.'
          : `${nearest === undefined ? '' : `Did you mean ${nearest}? `}${there}`,
      data: { name },
    });
  }
}

/** The error for a skill that is there, and belongs to a project that nobody trusts yet. */
export function untrustedSkill(name: string): SkillsError {
  return new SkillsError(
    'APPROVAL_REQUIRED',
    `The skill ${quoted(name)} is one of this project, and nobody has said that the project is trusted.`,
    {
      hint: `Read it with \`${shellLine(['skills', 'inspect', name, '--body'])}\`, then run this again with --trust-project.`,
      data: { name },
    },
  );
}
