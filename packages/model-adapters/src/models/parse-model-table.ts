import { readDocument } from '@skillpack/core';
import type { ModelTable } from './model-table.js';
import { modelTableSchema } from './model-table-schema.js';

/** How a table of models is read. */
export interface ParseModelTableOptions {
  /** Names it in messages. */
  readonly fileName: string;
}

const maxLength = 1024 * 1024;

/**
 * Reads a table of windows and prices from JSON.
 *
 * @throws `INVALID_CONFIG`, with the place in the file and what was expected there; `UNSUPPORTED_FORMAT`.
 */
export function parseModelTable(text: string, { fileName }: ParseModelTableOptions): ModelTable {
  const what = `The table of models ${fileName}`;
  const hint = 'docs/models.md describes tables of models.';
  return readDocument(text, modelTableSchema, { what, code: 'INVALID_CONFIG', maxLength, hint }).models;
}
