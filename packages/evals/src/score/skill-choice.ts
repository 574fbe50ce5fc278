import type { EvalResult, WantedSkills } from '../results/eval-result.js';
import { isScored } from './case-trials.js';

/** What a trial chose, against what its case says of skills. */
export interface SkillChoice {
  readonly wanted: WantedSkills;
  readonly fired: readonly string[];
  /** Whether it chose what is wanted; `undefined` where nothing is. */
  readonly hit: boolean | undefined;
  /** Whether it chose what it must not; `undefined` where it may choose anything. */
  readonly intruded: boolean | undefined;
}

/**
 * The choice of a trial; `undefined` of one that was not scored, of a case that says nothing of skills, and in the arm
 * `without_skill`, where what is wanted is not there to be chosen.
 */
export function skillChoice(result: Pick<EvalResult, 'wanted' | 'fired' | 'arm' | 'outcome'>): SkillChoice | undefined {
  const { wanted, fired, arm } = result;
  if (wanted === undefined || arm === 'without_skill' || !isScored(result)) return undefined;
  const chosen = (skill: string): boolean => fired.includes(skill);
  const wantsNone = wanted.skills.length === 0 && wanted.not.length === 0;
  return {
    wanted,
    fired,
    hit: wanted.skills.length === 0 ? undefined : wanted.all ? wanted.skills.every(chosen) : wanted.skills.some(chosen),
    intruded: wantsNone ? fired.length > 0 : wanted.not.length === 0 ? undefined : wanted.not.some(chosen),
  };
}
