import * as z from 'zod/mini';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';

/** A pack's name, `org/name`. */
export type PackName = string & { readonly __brand: 'PackName' };

// Windows opens the device, not a file, for these names in any folder.
const device = '(?:con|prn|aux|nul|com[0-9]|lpt[0-9])';
const part = `(?!${device}(?:/|$))(?=[^/]{1,64}(?:/|$))[a-z0-9]+(?:-[a-z0-9]+)*`;
const partPattern = new RegExp(`^${part}$`, 'u');
const pattern = new RegExp(`^${part}/${part}$`, 'u');

/**
 * Whether `text` can be an organisation or the second half of a pack name: 1 to 64 of `a-z0-9-`, hyphens only inside
 * and single, and no device of Windows (`aux`, `com1`).
 */
export function isPackNamePart(text: string): boolean {
  return partPattern.test(text);
}

/** Whether `text` is a {@link PackName}. */
export function isPackName(text: string): text is PackName {
  return pattern.test(text);
}

/**
 * Reads a pack name.
 *
 * @throws `INVALID_PACK_NAME`.
 */
export function parsePackName(text: string): PackName {
  if (isPackName(text)) return text;
  const near = nearestName(text.slice(0, 200));
  throw new SkillsError('INVALID_PACK_NAME', `${quoted(text)} is not a pack name.`, {
    hint:
      near === undefined
        ? 'A pack is org/name: two parts of 1 to 64 characters from a-z, 0-9 and single hyphens inside, for example org/pdf.'
        : `Did you mean “${near}”?`,
    data: { name: text.slice(0, 200) },
  });
}

function nearestName(text: string): PackName | undefined {
  const near = text
    .trim()
    .replace(/^@/u, '')
    .toLowerCase()
    .replaceAll(/[\s_]+/gu, '-');
  return isPackName(near) ? near : undefined;
}

/** The organisation and the name proper of a pack. */
export function splitPackName(name: PackName): { readonly org: string; readonly base: string } {
  const slash = name.indexOf('/');
  return { org: name.slice(0, slash), base: name.slice(slash + 1) };
}

// The brand is a claim that the pattern proves; a schema of its own type would leave no pattern in the JSON Schema.
export const packNameSchema = z
  .string()
  .check(z.regex(pattern, { error: 'expected a pack name (org/name)' })) as unknown as z.ZodMiniType<PackName, string>;
