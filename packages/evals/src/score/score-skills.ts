import { clusteredRate, type Cluster } from '../statistics/clustered-rate.js';
import { confusedPairs } from './confused-pairs.js';
import type { ConfusionCell, SkillScore } from './eval-report.js';
import type { SkillChoice } from './skill-choice.js';

/**
 * How well each skill is chosen, by name; `cases` are the choices of each case. Where one of several is wanted and one was
 * chosen, the others were not missed; where more was chosen than a case speaks of, and what it wants, that is no mistake.
 */
export function scoreSkills(cases: readonly (readonly SkillChoice[])[]): readonly SkillScore[] {
  const skills = new Set(cases.flat().flatMap(({ wanted, fired }) => [...wanted.skills, ...fired]));
  return [...skills].toSorted(compareTexts).map((skill) => ({
    skill,
    precision: clusteredRate(cases.map((choices) => countWhether(choices.map((choice) => wasRight(skill, choice))))),
    recall: clusteredRate(cases.map((choices) => countWhether(choices.map((choice) => wasFound(skill, choice))))),
  }));
}

/** Trials by what was wanted and what was chosen; of several that were wanted, by those that were missed. */
export function confusionOf(choices: readonly SkillChoice[]): readonly ConfusionCell[] {
  const cells = new Map<string, { wanted: string | null; fired: string | null; count: number; allowed?: number }>();
  for (const choice of choices)
    for (const [wanted, fired] of confusedPairs(choice)) {
      const name = JSON.stringify([wanted, fired]);
      const cell = cells.get(name);
      const allowed = wanted !== fired && fired !== null && wasRight(fired, choice) !== false;
      const made = cell ?? { wanted, fired, count: 0 };
      made.count += 1;
      if (allowed) made.allowed = (made.allowed ?? 0) + 1;
      if (cell === undefined) cells.set(name, made);
    }
  return [...cells.values()].toSorted(
    (left, right) => compareNames(left.wanted, right.wanted) || compareNames(left.fired, right.fired),
  );
}

/** Of the answers that there are, how many are yes. */
export function countWhether(answers: readonly (boolean | undefined)[]): Cluster {
  const given = answers.filter((answer) => answer !== undefined);
  return { successes: given.filter(Boolean).length, total: given.length };
}

/** Whether a skill that was chosen was wanted; `undefined` where it was not chosen, or nobody minds. */
function wasRight(skill: string, { wanted, fired, hit, intruded }: SkillChoice): boolean | undefined {
  if (!fired.includes(skill)) return undefined;
  if (wanted.skills.includes(skill)) return true;
  const wantsNone = wanted.skills.length === 0 && wanted.not.length === 0;
  const forbidden = wanted.not.includes(skill) || (wantsNone && intruded === true);
  return forbidden || hit === false ? false : undefined;
}

/** Whether a skill that was wanted was chosen; `undefined` where it was not wanted, or another one would do and did. */
function wasFound(skill: string, { wanted, fired, hit }: SkillChoice): boolean | undefined {
  if (!wanted.skills.includes(skill)) return undefined;
  if (fired.includes(skill)) return true;
  return wanted.all || hit === false ? false : undefined;
}

function compareNames(left: string | null, right: string | null): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return compareTexts(left, right);
}

function compareTexts(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
