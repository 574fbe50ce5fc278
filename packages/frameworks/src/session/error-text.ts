import type { SkillsError } from '@skillpack/core';

/** What a model is told of what went wrong: message and hint. */
export function errorText({ message, hint }: Pick<SkillsError, 'message' | 'hint'>): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
