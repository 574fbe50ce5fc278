import { escapedJson, recordable } from '@skillpack/core';
import type { EvalResult } from './eval-result.js';

/** What each line begins with, so that one that was cut off is known. */
export const lineStart = '{"formatVersion":1,"key":"';

/** A result as one line of JSON, with its newline. */
export function formatResult(result: EvalResult): string {
  const { formatVersion, key, suite, case: id, arm, model, trial, kind, outcome, ...rest } = result;
  return `${escapedJson(recordable({ formatVersion, key, suite, case: id, arm, model, trial, kind, outcome, ...rest }))}\n`;
}
