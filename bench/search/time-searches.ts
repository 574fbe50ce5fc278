import type { Contender } from './contenders.ts';
import type { BenchSkill, LabelledQuery } from './labelled-skills.ts';

/** What a search takes, in milliseconds of processors: others that use the machine change them less than those of a clock. */
export interface SearchTimes {
  /** Milliseconds to make the skills searchable. */
  readonly build: number;
  /** Milliseconds a request, on average over all of them. */
  readonly query: number;
  /** Milliseconds of the request that takes longest. */
  readonly slowest: number;
  /** Bytes of memory that the search holds. */
  readonly bytes: number;
}

/** Times contenders in turn, A B A B, and keeps the least time of each. Memory is measured only with `--expose-gc`. */
export function timeSearches(
  contenders: readonly Contender[],
  skills: readonly BenchSkill[],
  { queries, rounds }: { readonly queries: readonly LabelledQuery[]; readonly rounds: number },
): readonly SearchTimes[] {
  let least = contenders.map((): SearchTimes => ({
    build: Infinity,
    query: Infinity,
    slowest: Infinity,
    bytes: 0,
  }));
  for (let round = 0; round < rounds; round += 1)
    least = contenders.map((contender, at) => {
      const now = timeOnce(contender, skills, queries);
      const before = least[at] ?? now;
      return {
        build: Math.min(before.build, now.build),
        query: Math.min(before.query, now.query),
        slowest: Math.min(before.slowest, now.slowest),
        // What was left to collect before a round would be subtracted from it.
        bytes: Math.max(before.bytes, now.bytes),
      };
    });
  return least;
}

function timeOnce(contender: Contender, skills: readonly BenchSkill[], queries: readonly LabelledQuery[]): SearchTimes {
  const empty = memory();
  const start = processorTime();
  const find = contender.build(skills);
  const build = processorTime() - start;
  const bytes = memory() - empty;
  let total = 0;
  let slowest = 0;
  for (const { query } of queries) {
    const asked = processorTime();
    find(query, 20);
    const took = processorTime() - asked;
    total += took;
    slowest = Math.max(slowest, took);
  }
  return { build, query: total / queries.length, slowest, bytes };
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function memory(): number {
  // What typed arrays took is given back by the collection that follows.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
