import { quoted, SkillsError, textWithoutCredentials } from '@skillpack/core';
import { filled } from '../settings/places.js';

/** Which key is wanted. */
export interface WantedKey {
  /** Whose it is, for messages: `OpenAI`. */
  readonly provider: string;
  /** The variable of the environment that has it. */
  readonly variable: string;
  /** The page on which a person makes one. */
  readonly page: string;
  /** The variable that names another server than the provider’s own. */
  readonly server: string;
}

/**
 * The key of a provider, which the person's environment has, and nothing else.
 *
 * @throws `UNAUTHORIZED` where there is none, with the variable, and where to get one.
 */
export function modelKey(env: NodeJS.ProcessEnv, { provider, variable, page, server }: WantedKey): string {
  const key = filled(env[variable])?.trim();
  if (key !== undefined) return key;
  const other = filled(env[server])?.trim();
  if (other !== undefined) {
    throw new SkillsError(
      'UNAUTHORIZED',
      `${server} names ${quoted(textWithoutCredentials(other))}, and ${variable}, which would be sent there, is not set.`,
      {
        hint: `Set ${variable} to the key of that server; one that wants no key takes any word, or is named, where it speaks the protocol of OpenAI, by --model 'openai-compatible:<url>#<model>'.`,
        data: { variable, server },
      },
    );
  }
  throw new SkillsError('UNAUTHORIZED', `${provider} wants a key, and ${variable} is not set.`, {
    hint: `Make a key at ${page}, and set ${variable} in your environment. It goes into no file of skillpack.`,
    data: { variable, page },
  });
}
