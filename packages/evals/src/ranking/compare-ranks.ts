import { visibleText } from '@skillpack/core';
import type { CompareOptions } from '../gate/compare-options.js';
import { gateSettings } from '../gate/gate-settings.js';
import { probability } from '../gate/describe-measure.js';
import { judgeDifference, measureDifference, neededFor, type GateSettings } from '../gate/judge-difference.js';
import { groupBy } from '../score/case-trials.js';
import { percent } from '../statistics/percent.js';
import { isKeptAway } from './rank-queries.js';
import type { RankComparison, RankedQuery, RankMove, RankReport } from './rank-report.js';

const mostNames = 5;

interface QueryPair {
  readonly before: RankedQuery;
  readonly after: RankedQuery;
}

/**
 * How a catalogue ranks the queries that both reports have otherwise than an older one. A query is right where a skill that
 * is wanted is first, and none that must not be. The verdict is that of the queries that want a skill: a search cannot tell
 * near misses from them, so that a skill which is found no more would be made up for by what it is not mistaken for any more.
 * A skill that takes everything is found out by the queries that want others. Where no query wants any, all count.
 *
 * @throws `USAGE` for options that cannot be.
 */
export function compareRanks(before: RankReport, after: RankReport, options: CompareOptions = {}): RankComparison {
  const settings = gateSettings(options, 'compareRanks');
  const pairs = pairQueries(before, after);
  const wanting = pairs.filter((pair) => pair.after.wanted.length > 0);
  const judging = wanting.length === 0 ? pairs : wanting;
  const values = judging.map((pair) => ({ before: Number(isRight(pair.before)), after: Number(isRight(pair.after)) }));
  const difference = measureDifference(values, settings);
  const verdict = pairs.length === 0 ? 'underpowered' : judgeDifference(difference, difference.pValue, settings);
  const needed = verdict === 'underpowered' && pairs.length > 0 ? neededFor(values, 1, settings) : undefined;
  const moves = movesOf(pairs);
  const judged = {
    verdict,
    changed: changedSkills(before, after),
    moves,
    thefts: theftsOf(pairs),
    pValue: difference.pValue,
    pairs: judging.length,
    lost: difference.lost,
    won: difference.won,
    ...(needed === undefined ? {} : { needed }),
  };
  return {
    ...judged,
    reasons: describeRanks(
      judged,
      { before: difference.before, after: difference.after, beside: wanting.length === 0 ? [] : besideOf(pairs) },
      settings,
    ),
  };
}

/** A query that asks or wants something else now is another one. */
function pairQueries(before: RankReport, after: RankReport): readonly QueryPair[] {
  const nameOf = ({ suite, case: name, query, wanted, not }: RankedQuery): string =>
    JSON.stringify([suite, name, query, wanted.toSorted(), not.toSorted()]);
  const there = new Map(before.queries.map((query) => [nameOf(query), query]));
  return after.queries.flatMap((query) => {
    const older = there.get(nameOf(query));
    return older === undefined ? [] : [{ before: older, after: query }];
  });
}

function isRight(query: RankedQuery): boolean {
  return (query.wanted.length === 0 || query.rank === 1) && isKeptAway(query);
}

function changedSkills(before: RankReport, after: RankReport): readonly string[] {
  const older = new Map(before.catalogue.map(({ skill, digest }) => [skill, digest]));
  const newer = new Map(after.catalogue.map(({ skill, digest }) => [skill, digest]));
  return [...new Set([...older.keys(), ...newer.keys()])]
    .filter((skill) => older.get(skill) !== newer.get(skill))
    .toSorted();
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
    return [{ thief, victim, query: `${after.suite}/${after.case}` }];
  });
  return groupBy(stolen, ({ thief, victim }) => JSON.stringify([thief, victim]))
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      return [{ thief: first.thief, victim: first.victim, queries: group.map(({ query }) => query) }];
    })
    .toSorted((left, right) => right.queries.length - left.queries.length);
}

function besideOf(pairs: readonly QueryPair[]): readonly QueryPair[] {
  return pairs.filter(({ after }) => after.wanted.length === 0);
}

/** Of queries that want no skill: those that another one, or none, is first for now. */
function describeBeside(pairs: readonly QueryPair[]): readonly string[] {
  const lost = pairs.filter(({ before, after }) => isRight(before) && !isRight(after)).length;
  const won = pairs.filter(({ before, after }) => !isRight(before) && isRight(after)).length;
  if (lost === 0 && won === 0) return [];
  return [
    `Beside the verdict: of ${pairs.length} queries that want none, ${lost} are found now and were not, ${won} the other way round.`,
  ];
}

interface RankShares {
  readonly before: number;
  readonly after: number;
  /** Queries that do not count in the verdict. */
  readonly beside: readonly QueryPair[];
}

function describeRanks(
  judged: Omit<RankComparison, 'reasons'>,
  shares: RankShares,
  { margin }: GateSettings,
): readonly string[] {
  const { pairs = 0, lost = 0, won = 0, needed } = judged;
  if (pairs === 0) return ['No query is in both: nothing can be compared.'];
  const numbers = `(lost ${lost}, won ${won}, p = ${probability(judged.pValue)})`;
  const wanting = shares.beside.length > 0 ? ' that want a skill' : '';
  const moved = `Of ${pairs} queries${wanting}, ${percent(shares.before)} were ranked right before and ${percent(shares.after)} are now ${numbers}`;
  const says = {
    worse: 'worse.',
    better: 'better.',
    no_change: `less than the ${(margin * 100).toFixed(1)} points that matter.`,
    underpowered: `too few queries to tell${needed === undefined ? '' : `, about ${needed} would do`}.`,
  } as const;
  return [
    `${moved}: ${says[judged.verdict]}`,
    ...describeChanged(judged.changed),
    ...describeThefts(judged.thefts),
    ...describeBeside(shares.beside),
  ];
}

function describeChanged(changed: readonly string[]): readonly string[] {
  if (changed.length === 0) return ['No skill is described otherwise.'];
  const more = changed.length - mostNames;
  const names = changed.slice(0, mostNames).map(visibleText).join(', ');
  return [`Described otherwise, new or gone: ${names}${more > 0 ? ` and ${more} more` : ''}.`];
}

function describeThefts(thefts: RankComparison['thefts']): readonly string[] {
  return thefts.slice(0, mostNames).map(({ thief, victim, queries }) => {
    const which = queries.slice(0, mostNames).map(visibleText).join(', ');
    const more = queries.length - mostNames;
    const took = queries.length === 1 ? '1 query' : `${queries.length} queries`;
    return `${visibleText(thief)} took ${took} from ${visibleText(victim)}: ${which}${more > 0 ? ` and ${more} more` : ''}.`;
  });
}
