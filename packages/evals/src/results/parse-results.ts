import { expectOptions, readDocument, SkillsError } from '@skillpack/core';
import type { EvalResult } from './eval-result.js';
import { isCutOff } from './is-cut-off.js';
import { resultLimits } from './result-limits.js';
import { resultSchema } from './result-schema.js';

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
  expectOptions(options, { of: 'parseResults', names: { what: true } });
  const { what = 'The results' } = options;
  if (text.length > resultLimits.length) {
    throw invalid(`${what} have ${text.length} characters; at most ${resultLimits.length} are read`);
  }
  const results: EvalResult[] = [];
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let number = 1; start < text.length; number += 1) {
    if (number > resultLimits.lines) throw invalid(`${what} have more than ${resultLimits.lines} lines`);
    const newline = text.indexOf('\n', start);
    const line = text.slice(start, newline === -1 ? text.length : newline);
    if (newline === -1 && isCutOff(line)) break;
    if (line.trim() !== '') results.push(parseResult(line, `${what}, line ${number},`));
    start += line.length + 1;
  }
  return results;
}

/** One line. @throws as {@link parseResults}. */
export function parseResult(line: string, what: string): EvalResult {
  return readDocument(line, resultSchema, {
    what,
    code: 'INVALID_RESULTS',
    maxLength: resultLimits.line,
    hint: 'It is one JSON object a line, as a run of evals writes them.',
  });
}

function invalid(message: string): SkillsError {
  return new SkillsError('INVALID_RESULTS', `${message}.`);
}
