import { quoted, SkillsError, textWithoutCredentials } from '@skillpack/core';
import { filled } from '../settings/places.js';

/**
 * The address of a provider that a variable of the person's environment names; `undefined` where it names none.
 *
 * @throws `INVALID_CONFIG` for what is no http or https URL, or holds a password.
 */
export function baseUrlOf(env: NodeJS.ProcessEnv, variable: string): string | undefined {
  const value = filled(env[variable])?.trim();
  if (value === undefined) return undefined;
  if (isPlainUrl(value)) return value.replace(/\/+$/u, '');
  throw new SkillsError('INVALID_CONFIG', `${variable} is ${quoted(textWithoutCredentials(value))}.`, {
    hint: 'Expected an http or https URL without a password, a question mark or a hash.',
    data: { name: variable },
  });
}

/** Whether it is an http or https URL without a password, a query or a fragment. */
export function isPlainUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/u.test(protocol) && [username, password, search, hash].every((part) => part === '');
}
