import { SkillsError } from '@skillpack/core';
import { describeGiven, isPromise } from '../score/expect-results.js';

/** What a report of some kind is known by. */
interface KnownReport {
  readonly what: string;
  /** Fields that are lists or objects. */
  readonly fields: readonly string[];
  readonly hint: string;
}

const evalReport: KnownReport = {
  what: 'A report of evals',
  fields: ['verdict', 'counts', 'cases', 'triggers', 'tasks', 'lifts', 'spent'],
  hint: 'scoreResults makes one of results, and parseReport reads one.',
};

const rankReport: KnownReport = {
  what: 'A report of ranks',
  fields: ['catalogue', 'queries', 'first', 'amongFive'],
  hint: 'rankQueries makes one, and parseRankReport reads one.',
};

const rankComparison: KnownReport = {
  what: 'A comparison of ranks',
  fields: ['reasons', 'changed', 'moves', 'thefts'],
  hint: 'compareRanks makes one.',
};

/** Looks whether a report is one, as JavaScript may hand in results. @throws `USAGE`, with what was expected and what came. */
export function expectReport(given: unknown, of: string): void {
  expectFields(given, of, evalReport);
}

/** The same of ranks. @throws as {@link expectReport}. */
export function expectRanks(ranks: unknown, comparison: unknown, of: string): void {
  expectFields(ranks, of, rankReport);
  if (comparison !== undefined) expectFields(comparison, of, rankComparison);
}

function expectFields(given: unknown, of: string, { what, fields, hint }: KnownReport): void {
  if (typeof given === 'object' && given !== null) {
    const record = given as Readonly<Record<string, unknown>>;
    if (fields.every((field) => typeof record[field] === 'object' && record[field] !== null)) return;
  }
  throw new SkillsError('USAGE', `What ${of} is to render is ${describeGiven(given)}. ${what} was expected.`, {
    hint: isPromise(given) ? 'Wait for it with await.' : hint,
  });
}
