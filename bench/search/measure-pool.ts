import { contenders } from './contenders.ts';
import type { BenchSkill, LabelledQuery } from './labelled-skills.ts';
import { rateSearch, type SearchRating } from './rate-search.ts';
import { timeSearches, type SearchTimes } from './time-searches.ts';

/** What one search came to in one pool. */
export interface SearchOutcome {
  readonly name: string;
  readonly rating: SearchRating;
  readonly times: SearchTimes;
}

/** A pool, and what each search came to in it, ours first. */
export interface PoolOutcome {
  readonly skills: number;
  readonly searches: readonly SearchOutcome[];
}

/** What ours is held to in a pool of the labelled skills alone, and how long a request may take in any. */
const targets = { first: 0.7, five: 0.9, twenty: 0.95, milliseconds: 5 };

/** Rates and times every search in a pool. */
export function measurePool(
  skills: readonly BenchSkill[],
  options: { readonly queries: readonly LabelledQuery[]; readonly rounds: number },
): PoolOutcome {
  const times = timeSearches(contenders, skills, options);
  return {
    skills: skills.length,
    searches: contenders.flatMap(({ name, build }, at) => {
      const taken = times[at];
      return taken === undefined ? [] : [{ name, rating: rateSearch(build(skills), options.queries), times: taken }];
    }),
  };
}

/** What is missed in a pool, in sentences. Ratings are judged only where the requests are labelled. */
export function missedIn(
  { skills, searches }: PoolOutcome,
  { labelled }: { readonly labelled: 'alone' | 'among others' | 'none' },
): readonly string[] {
  const [ours, ...others] = searches;
  if (ours === undefined) return [];
  const missed: string[] = [];
  const judge = (what: string, value: number, least: number): void => {
    if (value < least) missed.push(`${skills} skills: ${what} is ${percent(value)}, below ${percent(least)}.`);
  };
  for (const measure of ['first', 'five', 'twenty'] as const) {
    if (labelled === 'alone') judge(measure, ours.rating[measure], targets[measure]);
    if (labelled !== 'none') for (const { rating } of others) judge(measure, ours.rating[measure], rating[measure]);
  }
  if (ours.times.query > targets.milliseconds)
    missed.push(`${skills} skills: a request takes ${ours.times.query.toFixed(1)} ms, over ${targets.milliseconds}.`);
  return missed;
}

/** A share as a person reads it. */
export function percent(share: number): string {
  return (100 * share).toFixed(1);
}
