import { messageOf } from '../errors/message-of.js';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';

/**
 * What is read from a registry. Somebody else's may fail in ways of its own; a run goes on without what it did not give.
 *
 * @param what is read, as the message calls it.
 * @throws `REGISTRY_ERROR` for whatever is thrown that has no code.
 */
export async function ofRegistry<Value>(what: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (cause) {
    if (SkillsError.is(cause)) throw cause;
    throw new SkillsError('REGISTRY_ERROR', `${what} cannot be read: ${quoted(messageOf(cause))}.`, {
      hint: 'Go on without it, or try another skill.',
      cause,
    });
  }
}
