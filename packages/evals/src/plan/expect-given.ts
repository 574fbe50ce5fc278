import { SkillsError } from '@skillpack/core';
import type { EvalSuite } from '../case/eval-case.js';
import { describeGiven, isPromise } from '../score/expect-results.js';
import type { EvalPlan, EvalShard } from './eval-job.js';

/** Whoever calls may write in a language without types. @throws `USAGE`, with what came and what was expected. */
export function expectSuites(suites: readonly EvalSuite[], of: string): void {
  const given: unknown = suites;
  if (!Array.isArray(given))
    throw unexpected(`suites of ${of}`, { given, wanted: 'A list of suites', hint: suiteHint });
  for (const [at, suite] of given.entries()) {
    if (hasLists(suite, ['cases', 'skills'])) continue;
    throw unexpected(`suites[${at}] of ${of}`, { given: suite, wanted: 'A suite', hint: suiteHint });
  }
}

/** @throws as {@link expectSuites}. */
export function expectPlan(plan: EvalPlan, of: string): void {
  if (hasLists(plan, ['jobs']) && typeof plan.digest === 'string') return;
  throw unexpected(`plan of ${of}`, {
    given: plan,
    wanted: 'A plan',
    hint: 'planEvals makes one, and parsePlan reads one.',
  });
}

/** @throws as {@link expectSuites}. */
export function expectShard(shard: EvalShard, what: string): void {
  if (hasLists(shard, ['jobs', 'keys']) && typeof shard.plan === 'string') return;
  throw unexpected(what, { given: shard, wanted: 'A shard', hint: 'shardPlan makes one, and parseShard reads one.' });
}

/** Looks whether a number is one, for messages that would show a text as one. @throws as {@link expectSuites}. */
export function expectNumber(given: unknown, name: string, of: string): void {
  if (typeof given !== 'number') throw unexpected(`${name} of ${of}`, { given, wanted: 'A whole number' });
}

interface Unexpected {
  readonly given: unknown;
  readonly wanted: string;
  readonly hint?: string | undefined;
}

/** What is said where something else came than was expected. */
export function unexpected(what: string, { given, wanted, hint }: Unexpected): SkillsError {
  const told = isPromise(given) ? 'Wait for it with await.' : hint;
  return new SkillsError('USAGE', `${what} is ${describeGiven(given)}. ${wanted} was expected.`, {
    ...(told !== undefined && { hint: told }),
  });
}

const suiteHint = 'readSuite reads one of a file, and `await parseSuite(text, { fileName })` one of a text.';

function hasLists(given: unknown, names: readonly string[]): boolean {
  const fields = given as Readonly<Record<string, unknown>>;
  return typeof given === 'object' && given !== null && names.every((name) => Array.isArray(fields[name]));
}
