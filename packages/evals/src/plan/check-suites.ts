import { quoted, SkillsError } from '@skillpack/core';
import { checkSuite } from '../case/check-suite.js';
import type { EvalSuite } from '../case/eval-case.js';

/**
 * Suites may be made by a program: what a plan relies on is looked at again.
 *
 * @throws `INVALID_CASE` for two of one name, and for a case that no trial could be made of.
 */
export function checkSuites(suites: readonly EvalSuite[]): void {
  const names = new Set<string>();
  for (const suite of suites) {
    checkSuite(suite);
    const { name, cases } = suite;
    if (names.has(name)) {
      throw new SkillsError('INVALID_CASE', `Two suites are called ${quoted(name)}.`, {
        hint: 'Give one of them another name.',
        data: { suite: name },
      });
    }
    names.add(name);
    const many = cases.find(({ trials = 1 }) => !isTrials(trials));
    if (many === undefined) continue;
    throw new SkillsError('INVALID_CASE', `The case ${quoted(many.id)} of ${quoted(name)} has ${many.trials} trials.`, {
      hint: `It is a whole number from 1 to ${mostTrials}.`,
      data: { suite: name, case: many.id },
    });
  }
}

/** More would be a slip of the pen. */
export const mostTrials = 1_000;

/** Whether so many trials can be asked for. */
export function isTrials(trials: number): boolean {
  return Number.isInteger(trials) && trials >= 1 && trials <= mostTrials;
}
