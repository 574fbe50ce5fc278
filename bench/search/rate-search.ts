import type { Find } from './contenders.ts';
import type { LabelledQuery } from './labelled-skills.ts';

/** For how many of the requests, as a share, a wanted skill is the first, among the first five, and among the first 20. */
export interface SearchRating {
  readonly first: number;
  readonly five: number;
  readonly twenty: number;
}

/** Asks every request. */
export function rateSearch(find: Find, queries: readonly LabelledQuery[]): SearchRating {
  const ranks = queries.map(({ query, gold }) => find(query, 20).findIndex((id) => gold.includes(id)));
  const within = (most: number): number => ranks.filter((rank) => rank >= 0 && rank < most).length / queries.length;
  return { first: within(1), five: within(5), twenty: within(20) };
}
