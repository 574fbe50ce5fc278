import { groupBy } from '../score/case-trials.js';
import { isRight, nameOfQuery, type QueryPair } from './pair-queries.js';
import type { SkillLoss } from './rank-report.js';

// A share of a whole number differs from what it stands for in its last digits.
const tolerance = 1e-9;

/**
 * Which of its requests each skill is not first for any more, of those skills that lost some, most first. What another skill
 * has that is wanted as well is not lost.
 */
export function skillLosses(pairs: readonly QueryPair[], maxLost: number): readonly SkillLoss[] {
  const wishes = pairs.flatMap((pair) => [...new Set(pair.after.wanted)].map((skill) => ({ skill, ...pair })));
  return groupBy(wishes, ({ skill }) => skill)
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const { skill } = first;
      const lost = group.filter(({ before, after }) => before.found[0] === skill && isRight(before) && !isRight(after));
      const won = group.filter(({ before, after }) => after.found[0] === skill && isRight(after) && !isRight(before));
      const net = lost.length - won.length;
      const tooMany = net > maxLost * group.length + tolerance;
      return [
        {
          skill,
          requests: group.length,
          lost: lost.map(({ after }) => nameOfQuery(after)),
          won: won.map(({ after }) => nameOfQuery(after)),
          takers: takersOf(lost),
          tooMany,
        },
      ];
    })
    .filter(({ lost }) => lost.length > 0)
    .toSorted((left, right) => right.lost.length - right.won.length - (left.lost.length - left.won.length));
}

function takersOf(lost: readonly QueryPair[]): SkillLoss['takers'] {
  return groupBy(lost, ({ after }) => JSON.stringify([after.found[0]]))
    .map((group) => ({ skill: group[0]?.after.found[0], requests: group.length }))
    .toSorted((left, right) => right.requests - left.requests);
}
