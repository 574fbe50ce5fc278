import * as z from 'zod/mini';
import { SkillsError } from '../errors/skills-error.js';

/** A pack's name, `org/name`. */
export type PackName = string & { readonly __brand: 'PackName' };

const part = '[a-z0-9]+(?:-[a-z0-9]+)*';
const pattern = new RegExp(`^${part}/${part}$`, 'u');
const partPattern = new RegExp(`^${part}$`, 'u');
const partLength = 64;

// Windows opens the device, not a file, for these names in any folder.
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/u;

/** Whether `text` can be an organisation or the second half of a pack name: 1 to 64 of `a-z0-9-`, hyphens only inside and single. */
export function isPackNamePart(text: string): boolean {
  return text.length <= partLength && partPattern.test(text) && !devices.test(text);
}

/** Whether `text` is a {@link PackName}. */
export function isPackName(text: string): text is PackName {
  return pattern.test(text) && text.split('/').every(isPackNamePart);
}

/**
 * Reads a pack name.
 *
 * @throws `INVALID_PACK_NAME`.
 */
export function parsePackName(text: string): PackName {
  if (isPackName(text)) return text;
  const lower = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/gu, '-');
  throw new SkillsError('INVALID_PACK_NAME', `“${text}” is not a pack name.`, {
    hint: isPackName(lower)
      ? `Did you mean “${lower}”?`
      : 'A pack is org/name: two parts of 1 to 64 characters from a-z, 0-9 and single hyphens inside, for example org/pdf.',
    data: { name: text },
  });
}

/** The organisation and the name proper of a pack. */
export function splitPackName(name: PackName): { readonly org: string; readonly base: string } {
  const slash = name.indexOf('/');
  return { org: name.slice(0, slash), base: name.slice(slash + 1) };
}

export const packNameSchema = z.custom<PackName>((value) => typeof value === 'string' && isPackName(value), {
  error: 'expected a pack name (org/name)',
});
