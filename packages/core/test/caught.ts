import { SkillsError } from '../src/errors/skills-error.js';

/** What a call threw, if it is a SkillsError; anything else is thrown on, and nothing thrown is a failure. */
export function caught(call: () => unknown): SkillsError {
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    if (SkillsError.is(error)) return error;
    throw error;
  }
  throw new Error(`Expected a SkillsError, got ${JSON.stringify(result)}.`);
}
