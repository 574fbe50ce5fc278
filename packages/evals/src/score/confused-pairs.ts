import type { SkillChoice } from './skill-choice.js';

/** A skill that was wanted, and one that was chosen; `null`: none. */
export type ConfusedPair = readonly [wanted: string | null, fired: string | null];

/** What a trial counts as, each once: where several were wanted, by those that were missed. */
export function confusedPairs({ wanted, fired }: Pick<SkillChoice, 'wanted' | 'fired'>): readonly ConfusedPair[] {
  const chosenOnce = [...new Set(fired)];
  const skills = [...new Set(wanted.skills)];
  const right = chosenOnce.filter((skill) => skills.includes(skill));
  const others = chosenOnce.filter((skill) => !skills.includes(skill));
  const missed = wanted.all || right.length === 0 ? skills.filter((skill) => !fired.includes(skill)) : [];
  // Of several that would each have done, the first stands for all.
  const missing = wanted.all ? missed : missed.slice(0, 1);
  const chosen = others.length === 0 ? [null] : others;
  if (skills.length === 0) return chosen.map((skill) => [null, skill] as const);
  const asked = missing.length === 0 ? right.slice(0, others.length === 0 ? 0 : 1) : missing;
  return [
    ...right.map((skill) => [skill, skill] as const),
    ...asked.flatMap((skill) => chosen.map((other) => [skill, other] as const)),
  ];
}
