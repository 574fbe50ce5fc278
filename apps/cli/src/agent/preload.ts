import { quoted, SkillsError } from '@skillpack/core';
import { nearestName } from '../frame/nearest-name.js';
import { refusedAs, type RefusedSkill } from '../skills/refused-skills.js';
import { shellLine, withFlag } from './approving-command.js';
import { folderOption } from './kept-options.js';
import type { OfferedSkills } from './offer-skills.js';

/** The names in a list with commas. @throws `USAGE` for an empty one. */
export function preloadOf(list: string | undefined): readonly string[] {
  const names = list?.split(',').map((name) => name.trim()) ?? [];
  if (!names.includes('')) return names;
  throw new SkillsError('USAGE', `--skill is ${quoted(list ?? '')}; expected names with commas between them.`);
}

/** Whom the skills to begin with are named by. */
export interface PreloadPorts {
  /** The command line, without the program. */
  readonly words: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * @throws `SKILL_NOT_FOUND`, `TOOL_NOT_ALLOWED` for a skill that people do not call, `APPROVAL_REQUIRED` for one of a
 * project that is not trusted.
 */
export async function checkPreload(
  names: readonly string[],
  offered: OfferedSkills,
  { words, signal }: PreloadPorts,
): Promise<void> {
  for (const name of names) {
    const entry = await offered.registry.get(name, { signal });
    if (entry !== undefined) {
      if (entry.head.userInvocable) continue;
      throw uncallableSkill(entry.name);
    }
    if (offered.withheld.includes(name)) throw untrustedSkill(name, words);
    const index = await offered.registry.index({ signal });
    const { skills } = index;
    const refused = refusedAs(name, index);
    if (refused !== undefined) throw refusedSkill(refused);
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

/** The error for a skill that is there, and is none. */
export function refusedSkill({ name, location, message }: RefusedSkill): SkillsError {
  return new SkillsError('SKILL_NOT_FOUND', `The skill ${quoted(name)} at ${location} is not offered. ${message}`, {
    hint: `Correct it; \`${shellLine(['skills', 'lint', location])}\` says all that is wrong with it.`,
    data: { name, path: location },
  });
}

/** The error for a skill that only a model reads. */
export function uncallableSkill(name: string): SkillsError {
  return new SkillsError('TOOL_NOT_ALLOWED', `The skill ${quoted(name)} is not called by people.`, {
    hint: 'Its front matter says `user-invocable: false`. Say what you want, and the agent may read it.',
    data: { name },
  });
}

/**
 * The error for a skill that is there, and belongs to a project that nobody trusts yet.
 *
 * @param words those of the command line, without the program.
 */
export function untrustedSkill(name: string, words: readonly string[]): SkillsError {
  const inspect = ['skills', 'inspect', name, '--body', ...folderOption(words)];
  return new SkillsError(
    'APPROVAL_REQUIRED',
    `The skill ${quoted(name)} is one of this project, and nobody has said that the project is trusted.`,
    {
      hint: `Read it with \`${shellLine(inspect)}\`, then: ${shellLine(withFlag(words, '--trust-project'))}`,
      data: { name },
    },
  );
}
