import { isKeptAway } from './rank-queries.js';
import type { RankedQuery, RankReport } from './rank-report.js';

/** A query that both reports have. */
export interface QueryPair {
  readonly before: RankedQuery;
  readonly after: RankedQuery;
}

/** What can be compared, and what cannot: queries as `suite/case`. */
export interface PairedQueries {
  readonly pairs: readonly QueryPair[];
  readonly gone: readonly string[];
  readonly added: readonly string[];
  /** There are both, and they ask or want something else. */
  readonly asksOtherwise: readonly string[];
}

/** Pairs queries by suite and case. A query that asks or wants something else now is another one. */
export function pairQueries(before: RankReport, after: RankReport): PairedQueries {
  const there = new Map(before.queries.map((query) => [placeOf(query), query]));
  const here = new Map(after.queries.map((query) => [placeOf(query), query]));
  const both = after.queries.flatMap((query) => {
    const older = there.get(placeOf(query));
    return older === undefined ? [] : [{ before: older, after: query }];
  });
  const pairs = both.filter(asksTheSame);
  return {
    pairs,
    gone: before.queries.filter((query) => !here.has(placeOf(query))).map(nameOfQuery),
    added: after.queries.filter((query) => !there.has(placeOf(query))).map(nameOfQuery),
    asksOtherwise: both.filter((pair) => !asksTheSame(pair)).map((pair) => nameOfQuery(pair.after)),
  };
}

/** Whether a skill that is wanted is first, and none that must not be. */
export function isRight(query: RankedQuery): boolean {
  return (query.wanted.length === 0 || query.rank === 1) && isKeptAway(query);
}

/** `suite/case`. */
export function nameOfQuery({ suite, case: name }: Pick<RankedQuery, 'suite' | 'case'>): string {
  return `${suite}/${name}`;
}

function asksTheSame({ before, after }: QueryPair): boolean {
  return questionOf(before) === questionOf(after);
}

function placeOf({ suite, case: name }: RankedQuery): string {
  return JSON.stringify([suite, name]);
}

function questionOf({ query, wanted, not }: RankedQuery): string {
  return JSON.stringify([query, wanted.toSorted(), not.toSorted()]);
}
