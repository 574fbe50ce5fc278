import { quoted, SkillsError } from '@skillpack/core';
import type { EvalCase, EvalSuite } from '../case/eval-case.js';

const idPattern = /^[A-Za-z0-9._-]{1,100}$/u;

/**
 * Suites may be made by a program: what a plan relies on is looked at again.
 *
 * @throws `INVALID_CASE` for two of one name, and for a case that no trial could be made of.
 */
export function checkSuites(suites: readonly EvalSuite[]): void {
  const names = new Set<string>();
  for (const { name, cases } of suites) {
    if (name.trim() === '') throw new SkillsError('INVALID_CASE', 'A suite has no name.');
    if (names.has(name)) {
      throw new SkillsError('INVALID_CASE', `Two suites are called ${quoted(name)}.`, {
        hint: 'Give one of them another name.',
        data: { suite: name },
      });
    }
    names.add(name);
    checkCases(name, cases);
  }
}

function checkCases(suite: string, cases: readonly EvalCase[]): void {
  const ids = new Set<string>();
  for (const evalCase of cases) {
    const { id } = evalCase;
    const problem = ids.has(id) ? 'is there twice' : problemOf(evalCase);
    ids.add(id);
    if (problem === undefined) continue;
    throw new SkillsError('INVALID_CASE', `The case ${quoted(id)} of the suite ${quoted(suite)} ${problem}.`, {
      data: { suite, case: id },
    });
  }
}

function problemOf({ id, kind, conversation, offer, trials }: EvalCase): string | undefined {
  if (!idPattern.test(id)) return 'has an id of other characters than letters, digits, “.”, “_” and “-”';
  if (conversation.length === 0) return 'asks nothing';
  if (conversation.some(({ input }) => input.trim() === '')) return 'has a line that says nothing';
  if (trials !== undefined && !isTrials(trials))
    return `has ${trials} trials; it has to be a whole number from 1 to ${mostTrials}`;
  if (kind === 'task') return undefined;
  if (conversation.length > 1) return 'is of the kind “trigger”, and has more than one line';
  // The text of a skill would be there before anything is chosen.
  if (offer.preload.length > 0) return 'is of the kind “trigger”, and begins with a skill that is chosen already';
  return undefined;
}

/** More would be a slip of the pen. */
export const mostTrials = 1_000;

/** Whether so many trials can be asked for. */
export function isTrials(trials: number): boolean {
  return Number.isInteger(trials) && trials >= 1 && trials <= mostTrials;
}
