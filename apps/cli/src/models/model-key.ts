import { SkillsError } from '@skillpack/core';
import { filled } from '../settings/places.js';

/** Which key is wanted. */
export interface WantedKey {
  /** Whose it is, for messages: `OpenAI`. */
  readonly provider: string;
  /** The variable of the environment that has it. */
  readonly variable: string;
  /** The page on which a person makes one. */
  readonly page: string;
}

/**
 * The key of a provider, which the person's environment has, and nothing else.
 *
 * @throws `UNAUTHORIZED` where there is none, with the variable, and where to get one.
 */
export function modelKey(env: NodeJS.ProcessEnv, { provider, variable, page }: WantedKey): string {
  const key = filled(env[variable])?.trim();
  if (key !== undefined) return key;
  throw new SkillsError('UNAUTHORIZED', `${provider} wants a key, and ${variable} is not set.`, {
    hint: `Make a key at ${page}, and set ${variable} in your environment. It goes into no file of skillpack.`,
    data: { variable, page },
  });
}
