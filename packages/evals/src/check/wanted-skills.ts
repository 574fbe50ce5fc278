import type { EvalCase } from '../case/eval-case.js';
import type { WantedSkills } from '../results/eval-result.js';

/**
 * Which skills a case wants to be chosen, flat, for the counting of triggers; `undefined` where it says nothing of them.
 * With `skills` and `not` both empty, none at all is to be chosen. Where a case wants all of some and any of others, those
 * that it wants all of stand for it.
 */
export function wantedSkills({ expected }: Pick<EvalCase, 'expected'>): WantedSkills | undefined {
  const { anyOf = [], allOf = [], none } = expected.skills ?? {};
  const not = none === true ? [] : (none ?? []);
  if (anyOf.length === 0 && allOf.length === 0 && none === undefined) return undefined;
  const all = allOf.length > 0;
  return { skills: [...new Set(all ? allOf : anyOf)], all, not: [...new Set(not)] };
}
