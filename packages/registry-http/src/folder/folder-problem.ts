import { SkillsError } from '@skillpack/core';

/** Something in a registry's folder that could not be used, or is not offered to everybody. */
export interface FolderProblem {
  /** The pack, the skill or the document. */
  readonly subject: string;
  readonly message: string;
}

/** What an error says of a pack or a skill; anything that is no SkillsError is thrown on. */
export function problemOf(subject: string, error: unknown): FolderProblem {
  if (SkillsError.is(error))
    return { subject, message: [error.message, ...(error.hint === undefined ? [] : [error.hint])].join(' ') };
  throw error;
}
