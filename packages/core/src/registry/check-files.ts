import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { textWithoutCredentials } from '../errors/without-credentials.js';
import { nameKind } from './name-kind.js';
import type { SkillFile } from './skill-backend.js';
import type { SkillEntry } from './skill-entry.js';

/**
 * What a backend gave for the files of a skill, as it is declared.
 *
 * @throws `REGISTRY_ERROR` for what is no list of paths and sizes.
 */
export function checkFiles(
  value: unknown,
  place: { readonly kind: string; readonly skill: SkillEntry },
): readonly SkillFile[] {
  if (!Array.isArray(value)) throw refused(`${nameKind(value)}, not a list, for`, place);
  return value.map((file: unknown) => checkFile(file, place));
}

function checkFile(file: unknown, place: { readonly kind: string; readonly skill: SkillEntry }): SkillFile {
  if (typeof file !== 'object' || file === null) throw refused(`${nameKind(file)} among`, place);
  const { path, size, executable } = file as Readonly<Record<string, unknown>>;
  if (typeof path !== 'string') throw refused(`a file whose path is ${nameKind(path)}, not a string, among`, place);
  if (typeof size !== 'number') throw refused(`${quoted(path)} with ${nameKind(size)} as its size among`, place);
  if (!Number.isSafeInteger(size) || size < 0)
    throw refused(`${quoted(path)} with a size of ${size} bytes among`, place);
  return { path, size, executable: executable === true };
}

function refused(what: string, { kind, skill }: { readonly kind: string; readonly skill: SkillEntry }): SkillsError {
  const location = textWithoutCredentials(skill.location);
  return new SkillsError(
    'REGISTRY_ERROR',
    `The backend ${quoted(kind)} gave ${what} the files of the skill ${quoted(skill.name)} at ${quoted(location)}.`,
    {
      hint: 'Let `files` of the backend return a list of { path, size, executable }, with sizes in whole bytes.',
      data: { kind, skill: skill.name, location },
    },
  );
}
