import { judgeDifference, measureDifference, neededSizes } from '../gate/judge-difference.js';
import { groupBy } from '../score/case-trials.js';
import { rankSettings, type CompareRanksOptions } from './compare-ranks-options.js';
import { describeRanks } from './describe-ranks.js';
import { isRight, nameOfQuery, pairQueries, type QueryPair } from './pair-queries.js';
import type { RankComparison, RankMove, RankReport } from './rank-report.js';
import { skillLosses } from './skill-losses.js';

/**
 * How a catalogue ranks the queries that both reports have otherwise than an older one. A query is right where a skill that
 * is wanted is first, and none that must not be. The verdict is that of the queries that want a skill: a search cannot tell
 * near misses from them, so that a skill which is found no more would be made up for by what it is not mistaken for any more.
 * A skill that takes everything is found out by the queries that want others. Where no query wants any, all count.
 *
 * Two things are judged. A test over all these queries says whether requests in general are found better or worse. Beside it,
 * `worse` is where one skill lost more of its own requests than `maxLost` says: a search is asked the same each time and
 * answers the same, so that no chance is in exactly these requests.
 *
 * @throws `USAGE` for options that cannot be.
 */
export function compareRanks(before: RankReport, after: RankReport, options: CompareRanksOptions = {}): RankComparison {
  const settings = rankSettings(options);
  const paired = pairQueries(before, after);
  const { pairs } = paired;
  const wanting = pairs.filter((pair) => pair.after.wanted.length > 0);
  const judging = wanting.length === 0 ? pairs : wanting;
  const values = judging.map((pair) => ({ before: Number(isRight(pair.before)), after: Number(isRight(pair.after)) }));
  const difference = measureDifference(values, settings);
  const tested = pairs.length === 0 ? 'underpowered' : judgeDifference(difference, difference.pValue, settings);
  const needed = tested === 'underpowered' && pairs.length > 0 ? neededSizes(values, 1, settings) : {};
  const losses = skillLosses(wanting, settings.maxLost);
  const comparison = {
    verdict: losses.some(({ tooMany }) => tooMany) ? 'worse' : tested,
    ...changedSkills(before, after),
    moves: movesOf(pairs),
    thefts: theftsOf(pairs),
    losses,
    pValue: difference.pValue,
    pairs: judging.length,
    lost: difference.lost,
    won: difference.won,
    ...needed,
    onlyInBaseline: [...paired.gone, ...paired.asksOtherwise],
    onlyHere: [...paired.added, ...paired.asksOtherwise],
  } as const;
  const beside = wanting.length === 0 ? [] : pairs.filter((pair) => pair.after.wanted.length === 0);
  const told = { comparison, tested, before: difference.before, after: difference.after, paired, beside };
  return { ...comparison, reasons: describeRanks(told, settings) };
}

function changedSkills(before: RankReport, after: RankReport): Pick<RankComparison, 'changed' | 'added' | 'gone'> {
  const older = new Map(before.catalogue.map(({ skill, digest }) => [skill, digest]));
  const newer = new Map(after.catalogue.map(({ skill, digest }) => [skill, digest]));
  const changed = [...new Set([...older.keys(), ...newer.keys()])]
    .filter((skill) => older.get(skill) !== newer.get(skill))
    .toSorted();
  return {
    changed,
    added: changed.filter((skill) => !older.has(skill)),
    gone: changed.filter((skill) => !newer.has(skill)),
  };
}

function movesOf(pairs: readonly QueryPair[]): readonly RankMove[] {
  const weight = ({ lost, won }: RankMove): number => (lost ? 0 : won ? 1 : 2);
  return pairs
    .filter(({ before, after }) => before.found[0] !== after.found[0])
    .map(({ before, after }) => ({
      suite: after.suite,
      case: after.case,
      query: after.query,
      before: before.found[0],
      after: after.found[0],
      rankBefore: before.rank,
      rankAfter: after.rank,
      lost: isRight(before) && !isRight(after),
      won: !isRight(before) && isRight(after),
    }))
    .toSorted((left, right) => weight(left) - weight(right));
}

/** Whoever is first now, in place of a skill that is wanted and was. */
function theftsOf(pairs: readonly QueryPair[]): RankComparison['thefts'] {
  const stolen = pairs.flatMap(({ before, after }) => {
    const [victim] = before.found;
    const [thief] = after.found;
    if (victim === undefined || thief === undefined || !after.wanted.includes(victim) || after.wanted.includes(thief))
      return [];
    return [{ thief, victim, query: nameOfQuery(after) }];
  });
  return groupBy(stolen, ({ thief, victim }) => JSON.stringify([thief, victim]))
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      return [{ thief: first.thief, victim: first.victim, queries: group.map(({ query }) => query) }];
    })
    .toSorted((left, right) => right.queries.length - left.queries.length);
}
