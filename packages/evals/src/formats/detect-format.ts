import type { CaseFormat } from './imported-suite.js';

/**
 * Which format a text is of; `undefined` for one that is no file of cases, or cannot be read at all. Nothing is thrown.
 */
export function detectFormat(_text: string, _options: { readonly fileName: string }): CaseFormat | undefined {
  return undefined;
}
