import {
  canonicalJson,
  checkAborted,
  expectOptions,
  makeSkillSearch,
  type QueryVocabulary,
  type Sha256,
  type SkillEntry,
  type SkillRegistry,
  type SkillSearch,
} from '@skillpack/core';
import type { EvalCase, EvalSuite } from '../case/eval-case.js';
import type { Rate } from '../statistics/rate.js';
import { rateOf } from '../statistics/rate-of.js';
import type { RankedQuery, RankReport } from './rank-report.js';

/** What queries are ranked with. */
export interface RankPorts {
  /** The whole catalogue. Names and descriptions are searched, never the texts. */
  readonly registry: Pick<SkillRegistry, 'index'>;
  readonly sha256: Sha256;
}

/** How queries are ranked. */
export interface RankOptions {
  /** What finds skills for queries in other languages, such as that of `loadQueryVocabulary`. @default none */
  readonly vocabulary?: QueryVocabulary | undefined;
  readonly signal?: AbortSignal | undefined;
}

const optionNames: Readonly<Record<keyof RankOptions, true>> = { vocabulary: true, signal: true };

const mostFound = 10;
// The rank of a wanted skill is looked for further down than what a report shows.
const mostRanked = 100;
const longestQuery = 2_000;
// Between two pauses, in which a signal can come.
const queriesAtOnce = 20;

/**
 * Ranks the query of every case that says which skills it wants, or does not, over the whole catalogue, whatever the case
 * offers. The query is what the person says first. It is the search of `createSkillSearch`, over names and descriptions
 * alone, so that it is the same on every machine.
 *
 * @throws `INTERRUPTED`; `USAGE` for options that are none; what the registry throws.
 */
export async function rankQueries(
  suites: readonly EvalSuite[],
  { registry, sha256 }: RankPorts,
  options: RankOptions = {},
): Promise<RankReport> {
  expectOptions(options, { of: 'rankQueries', names: optionNames });
  const { vocabulary, signal } = options;
  const { skills } = await registry.index({ signal });
  const search = await makeSkillSearch(
    // Where a checkout lies says nothing of a skill, and would rank otherwise on another machine.
    skills.map((entry) => ({ entry: { ...entry, location: `/${entry.name}` } })),
    { signal },
  );
  const queries: RankedQuery[] = [];
  for (const suite of suites)
    for (const one of suite.cases) {
      const ranked = rankCase(suite, one, (query) => findNames(search, query, vocabulary));
      if (ranked === undefined) continue;
      queries.push(ranked);
      if (queries.length % queriesAtOnce === 0) await nextTurn();
      checkAborted(signal, 'The ranking');
    }
  const wanting = queries.filter(({ wanted }) => wanted.length > 0);
  const forbidding = queries.filter(({ not }) => not.length > 0);
  return {
    formatVersion: 1,
    catalogue: skills.map((entry) => ({ skill: entry.name, digest: sha256(canonicalJson(describe(entry))) })),
    queries,
    first: shareOf(wanting, ({ rank }) => rank === 1),
    amongFive: shareOf(wanting, ({ rank }) => rank !== undefined && rank <= 5),
    keptAway: shareOf(forbidding, isKeptAway),
  };
}

/** Whether no skill that must not be is first. */
export function isKeptAway({ not, found: [first] }: RankedQuery): boolean {
  return first === undefined || !not.includes(first);
}

function rankCase(
  suite: EvalSuite,
  { id, conversation, expected }: EvalCase,
  find: (query: string) => readonly string[],
): RankedQuery | undefined {
  const query = conversation[0]?.input.slice(0, longestQuery).toWellFormed();
  const { skills } = expected;
  if (query === undefined || skills === undefined) return undefined;
  const wanted = [...new Set([...(skills.anyOf ?? []), ...(skills.allOf ?? [])])];
  const not = skills.none === true ? suite.skills : (skills.none ?? []);
  if (wanted.length === 0 && not.length === 0) return undefined;
  const found = find(query);
  const at = found.findIndex((name) => wanted.includes(name));
  return {
    suite: suite.name,
    case: id,
    query,
    wanted,
    not,
    found: found.slice(0, mostFound),
    rank: at === -1 ? undefined : at + 1,
  };
}

function findNames(search: SkillSearch, query: string, vocabulary: QueryVocabulary | undefined): readonly string[] {
  return search.find(query, { limit: mostRanked, vocabulary }).map(({ entry }) => entry.name);
}

function describe({ name, head }: SkillEntry): object {
  return { name: name.toWellFormed(), description: head.description?.toWellFormed() ?? '' };
}

function shareOf(queries: readonly RankedQuery[], holds: (query: RankedQuery) => boolean): Rate {
  return rateOf(queries.filter(holds).length, queries.length);
}

async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, 0);
  });
}
