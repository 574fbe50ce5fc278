import { SkillsError } from '@skillpack/core';
import { formatOf } from './format-of.js';
import type { CaseFormat } from './imported-suite.js';
import { readForeign } from './read-foreign.js';

/**
 * Which format a text is of; `undefined` for one that is no file of cases, or cannot be read at all. Nothing is thrown.
 */
export function detectFormat(text: string, { fileName }: { readonly fileName: string }): CaseFormat | undefined {
  try {
    return formatOf(readForeign(text, fileName));
  } catch (error) {
    if (SkillsError.is(error)) return undefined;
    throw error;
  }
}
