import { SkillsError } from '@skillpack/core';
import type { ModelTable } from './model-table.js';

/** How a table of models is read. */
export interface ParseModelTableOptions {
  /** Names it in messages. */
  readonly fileName: string;
}

/**
 * Reads a table of windows and prices from JSON.
 *
 * @throws `INVALID_CONFIG`, with the place in the file and what was expected there; `UNSUPPORTED_FORMAT`.
 */
export function parseModelTable(_text: string, { fileName }: ParseModelTableOptions): ModelTable {
  throw new SkillsError('INTERNAL', `${fileName} cannot be read yet.`);
}
