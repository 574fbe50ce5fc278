import type { EvalResult } from './eval-result.js';

/** A result as one line of JSON, with its newline. */
export function formatResult(result: EvalResult): string {
  void result;
  throw new Error('not yet');
}
