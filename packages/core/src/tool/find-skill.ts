import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import type { SkillEntry } from '../registry/skill-entry.js';
import type { SkillView } from '../registry/skill-view.js';
import { suggestNames } from '../errors/suggest-names.js';

/** How a model says which skill it means. */
export interface WantedSkill {
  readonly skill_name?: string | undefined;
  /** Its folder, or the SKILL.md in it. */
  readonly skill_path?: string | undefined;
}

const mostNamed = 40;

/**
 * The skill that a model means.
 *
 * @throws `SKILL_NOT_FOUND`, with the names that there are in the hint; `INVALID_INPUT` where neither is given, or name
 * and path are those of two skills.
 */
export async function findSkill(
  view: SkillView,
  { skill_name: name, skill_path: path }: WantedSkill,
  options: { readonly signal: AbortSignal },
): Promise<SkillEntry> {
  if (name === undefined && path === undefined) {
    throw new SkillsError('INVALID_INPUT', 'Neither skill_name nor skill_path says which skill is meant.', {
      hint: await namesThereAre(view, '', options),
    });
  }
  const byName = name === undefined ? undefined : await view.get(name, options);
  const byPath = path === undefined ? undefined : await view.getByPath(path, options);
  const found = byName ?? byPath;
  if (found === undefined || (name !== undefined && byName === undefined)) {
    const wanted = name === undefined ? `at ${quoted(path ?? '')}` : quoted(name, 100);
    throw new SkillsError('SKILL_NOT_FOUND', `There is no skill ${wanted}.`, {
      hint: await namesThereAre(view, name ?? path ?? '', options),
    });
  }
  if (path !== undefined && byPath?.location !== found.location) {
    throw new SkillsError(
      'INVALID_INPUT',
      `The skill ${quoted(found.name)} lies at ${quoted(found.location)}, not at ${quoted(path)}.`,
      { hint: 'Give only one of skill_name and skill_path, or those of one skill.' },
    );
  }
  return found;
}

/** Skills that a model may be offered. */
export function offeredToModels(skills: readonly SkillEntry[]): readonly SkillEntry[] {
  return skills.filter(({ head }) => head.modelInvocable);
}

async function namesThereAre(
  view: SkillView,
  wanted: string,
  options: { readonly signal: AbortSignal },
): Promise<string> {
  const names = offeredToModels((await view.index(options)).skills).map(({ name }) => name);
  if (names.length === 0) return 'There are no skills.';
  // Those that may have been meant come first, where not all can be named.
  const shown = [...new Set([...suggestNames(wanted, names), ...names])].slice(0, mostNamed);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `Available skills: ${shown.map((name) => quoted(name, 100)).join(', ')}${more}.`;
}
