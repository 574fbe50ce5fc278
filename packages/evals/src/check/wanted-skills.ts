import type { EvalCase } from '../case/eval-case.js';
import type { WantedSkills } from '../results/eval-result.js';

/**
 * Which skills a case wants to be chosen, flat, for the counting of triggers; `undefined` where it says nothing of them.
 * With `skills` and `not` both empty, none at all is to be chosen.
 */
export function wantedSkills({ expected }: Pick<EvalCase, 'expected'>): WantedSkills | undefined {
  throw new Error(String(expected));
}
