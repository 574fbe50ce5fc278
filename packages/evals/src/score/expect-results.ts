import { quoted, SkillsError } from '@skillpack/core';
import type { EvalResult } from '../results/eval-result.js';

/** What was given, and what for. */
export interface GivenResults {
  /** The function that takes them. */
  readonly of: string;
  /** What they are there. @default results */
  readonly name?: string | undefined;
}

/**
 * Looks whether results are a list of results, as JavaScript may hand in a run, a path, or what nobody waited for.
 *
 * @throws `USAGE`, with what was expected and what came.
 */
export function expectResults(results: readonly EvalResult[], { of, name = 'results' }: GivenResults): void {
  const given: unknown = results;
  if (!Array.isArray(given)) {
    throw new SkillsError('USAGE', `${name} of ${of} is ${describeGiven(given)}. A list of results was expected.`, {
      hint: hintFor(given),
    });
  }
  const at = given.findIndex((result: unknown) => !isResult(result));
  if (at === -1) return;
  throw new SkillsError('USAGE', `${name}[${at}] of ${of} is ${describeGiven(given[at])}. A result was expected.`, {
    hint: 'Results are what runEvals returns as `results`, and what parseResults reads.',
  });
}

/** What came instead of something, within a sentence: `a text, “base.jsonl”`, `an object with plan, results`. */
export function describeGiven(given: unknown): string {
  if (given === null) return 'null';
  if (given === undefined) return 'not given';
  if (typeof given === 'string') return `a text, ${quoted(given, 60)}`;
  if (Array.isArray(given)) return 'a list';
  if (typeof given !== 'object') return `of the type ${typeof given}`;
  if (isPromise(given)) return 'a promise';
  const names = Object.keys(given);
  const more = names.length > 5 ? ', …' : '';
  return names.length === 0
    ? 'an object without fields'
    : `an object with ${names
        .slice(0, 5)
        .map((field) => quoted(field, 30))
        .join(', ')}${more}`;
}

function hintFor(given: unknown): string {
  if (typeof given === 'string') return 'Read the file, and give what parseResults makes of it.';
  if (isPromise(given)) return 'Wait for it with await.';
  if (typeof given === 'object' && given !== null && 'results' in given) return 'Give its `results`.';
  return 'Results are what runEvals returns as `results`, and what parseResults reads.';
}

/** Whether somebody forgot to wait. */
export function isPromise(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'then' in given && typeof given.then === 'function';
}

/** By what everything looks at first; that all of it is there is for `parseResults` to say. */
function isResult(given: unknown): boolean {
  return (
    typeof given === 'object' &&
    given !== null &&
    'key' in given &&
    'case' in given &&
    'outcome' in given &&
    'checks' in given &&
    Array.isArray(given.checks)
  );
}
