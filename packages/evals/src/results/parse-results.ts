import type { EvalResult } from './eval-result.js';

/** How results are read. */
export interface ParseResultsOptions {
  /** What messages call the document. @default 'The results' */
  readonly what?: string | undefined;
}

/**
 * Reads a log of results, one a line. A last line that a crash cut off is left out.
 *
 * @throws `INVALID_RESULTS` with the line, `UNSUPPORTED_FORMAT` for one of another version.
 */
export function parseResults(text: string, options: ParseResultsOptions = {}): readonly EvalResult[] {
  void text;
  void options;
  throw new Error('not yet');
}
