import * as z from 'zod/mini';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { packNamePart } from './pack-name-part.js';

/** A pack's name, `org/name`. */
export type PackName = string & { readonly __brand: 'PackName' };

const pattern = new RegExp(`^${packNamePart}/${packNamePart}$`, 'u');

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
