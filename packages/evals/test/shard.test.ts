import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '@skillpack/core';
import {
  formatPlan,
  formatShard,
  mergeShards,
  parsePlan,
  parseShard,
  shardPlan,
  type EvalArm,
  type EvalJob,
  type EvalPlan,
  type EvalResult,
  type EvalShard,
} from '../src/index.js';
import { sha256 } from './trial-ground.js';

const arms: readonly EvalArm[] = ['with_skill', 'without_skill'];

function makePlan(
  cases: number,
  { trials = 2, models = ['m'] }: { trials?: number; models?: readonly string[] } = {},
): EvalPlan {
  const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);
  const jobs = numbers(trials).flatMap((trial) =>
    numbers(cases).flatMap((at) =>
      models.flatMap((model) =>
        arms.map((arm): EvalJob => {
          const job = { suite: `suite-${at % 3}`, case: `case-${at}`, arm, model, trial };
          return { key: sha256(canonicalJson(job)), ...job };
        }),
      ),
    ),
  );
  return { formatVersion: 1, digest: sha256(canonicalJson(jobs.map(({ key }) => key))), jobs };
}

function resultOf(job: EvalJob, more: Partial<EvalResult> = {}): EvalResult {
  return {
    formatVersion: 1,
    ...job,
    kind: 'task',
    tags: [],
    input: 'x',
    outcome: 'passed',
    fired: [],
    checks: [],
    answer: '',
    steps: [],
    spent: { turns: 1, toolCalls: 0, scripts: 0, inputTokens: 0, outputTokens: 0, cost: 0, duration: 1_000 },
    at: '2026-11-22T08:00:00.000Z',
    attempts: 1,
    files: [],
    ...more,
  };
}

function shardsOf(plan: EvalPlan, count: number, durations?: readonly EvalResult[]): readonly EvalShard[] {
  return Array.from({ length: count }, (_, at) => shardPlan(plan, { index: at + 1, count, durations }));
}

const resultsOf = (shard: EvalShard): readonly EvalResult[] =>
  shard.jobs.filter(({ key }) => shard.keys.includes(key)).map((job) => resultOf(job));

const partsOf = (shards: readonly EvalShard[]) => shards.map((shard) => ({ shard, results: resultsOf(shard) }));

const merging = (parts: Parameters<typeof mergeShards>[0]) => () => mergeShards(parts);

const plans = fc
  .record({ cases: fc.integer({ min: 1, max: 12 }), trials: fc.integer({ min: 1, max: 3 }) })
  .map(({ cases, trials }) => makePlan(cases, { trials, models: ['m', 'n'] }));
const counts = fc.integer({ min: 1, max: 8 });
const seconds = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 0, maxLength: 30 });

const withDurations = (plan: EvalPlan, durations: readonly number[]): readonly EvalResult[] =>
  durations.flatMap((duration, at) => {
    const job = plan.jobs[at % plan.jobs.length];
    if (job === undefined) return [];
    const result = resultOf(job);
    return [{ ...result, spent: { ...result.spent, duration } }];
  });

describe('a plan in shards', () => {
  test('any split merges back to all results in the order of the plan, in whatever order the parts come', () => {
    fc.assert(
      fc.property(plans, counts, seconds, fc.boolean(), (plan, count, durations, backwards) => {
        const parts = partsOf(shardsOf(plan, count, withDurations(plan, durations)));
        const merged = mergeShards(backwards ? parts.toReversed() : parts);
        expect(merged.plan).toEqual(plan);
        expect(merged.results).toEqual(plan.jobs.map((job) => resultOf(job)));
      }),
      { numRuns: 200 },
    );
  });

  test('all arms and models of one trial of a case are in one shard, and each job in exactly one', () => {
    fc.assert(
      fc.property(plans, counts, seconds, (plan, count, durations) => {
        const shards = shardsOf(plan, count, withDurations(plan, durations));
        expect(shards.flatMap(({ keys }) => keys).toSorted()).toEqual(plan.jobs.map(({ key }) => key).toSorted());
        for (const { keys } of shards) {
          const own = plan.jobs.filter(({ key }) => keys.includes(key));
          for (const { suite, case: id, trial } of own) {
            const group = plan.jobs.filter((job) => job.suite === suite && job.case === id && job.trial === trial);
            expect(group.every(({ key }) => keys.includes(key))).toBe(true);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  test('a shard that is missing, there twice, or of another run is refused', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 2, max: 8 }), fc.nat(), (plan, count, pick) => {
        const parts = partsOf(shardsOf(plan, count));
        const at = pick % count;
        const other = partsOf(shardsOf(makePlan(13), count));
        const refused = { code: 'SHARD_MISMATCH' };
        const expectRefused = (changed: Parameters<typeof mergeShards>[0]): void => {
          expect(merging(changed)).toThrow(expect.objectContaining(refused));
        };
        expectRefused(parts.toSpliced(at, 1));
        expectRefused([...parts, parts[at] as (typeof parts)[number]]);
        expectRefused(parts.with((at + 1) % count, parts[at] as (typeof parts)[number]));
        expectRefused(parts.with(at, other[at] as (typeof parts)[number]));
        expectRefused(partsOf(shardsOf(plan, count + 1)).slice(0, count));
        expectRefused([]);
      }),
      { numRuns: 100 },
    );
  });

  test('a result that is missing, or of a job of another shard, or that bears the name of another trial, is refused', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 1, max: 4 }), fc.nat(), (plan, count, pick) => {
        const parts = partsOf(shardsOf(plan, count));
        const at = parts.findIndex(({ results }) => results.length > 0);
        const part = parts[at];
        if (part === undefined) throw new Error('Each plan has a job.');
        const { results } = part;
        const gone = parts.with(at, { ...part, results: results.toSpliced(pick % results.length, 1) });
        expect(merging(gone)).toThrow(expect.objectContaining({ code: 'SHARD_MISMATCH' }));
        const stray = resultOf({ ...(plan.jobs[0] as EvalJob), key: sha256('elsewhere') });
        const more = parts.with(at, { ...part, results: [...results, stray] });
        expect(merging(more)).toThrow(expect.objectContaining({ code: 'SHARD_MISMATCH' }));
        const renamed = results.map((result, index) => (index === 0 ? { ...result, case: 'another' } : result));
        expect(merging(parts.with(at, { ...part, results: renamed }))).toThrow(
          expect.objectContaining({ code: 'SHARD_MISMATCH' }),
        );
      }),
      { numRuns: 100 },
    );
  });

  test('shards whose plan was edited on every machine alike are refused', () => {
    const plan = makePlan(3);
    const [first] = plan.jobs;
    if (first === undefined) throw new Error('There is no job.');
    const another = { ...first, key: sha256('another') };
    for (const twice of [first, another]) {
      const edited = { ...plan, jobs: [...plan.jobs, twice] };
      const parts = partsOf(shardsOf(edited, 2)).map(({ shard, results }) => ({
        shard: { ...shard, keys: [...new Set(shard.keys)] },
        results,
      }));
      expect(merging(parts)).toThrow(/twice in the plan/u);
      expect(() => parsePlan(formatPlan(edited))).toThrow(expect.objectContaining({ code: 'INVALID_RESULTS' }));
      for (const { shard } of parts) expect(() => parseShard(formatShard(shard))).toThrow('each trial once');
    }
    const fewer = partsOf(shardsOf({ ...plan, jobs: plan.jobs.slice(1) }, 2));
    expect(() => mergeShards(fewer, { sha256 })).toThrow(expect.objectContaining({ code: 'SHARD_MISMATCH' }));
    expect(mergeShards(partsOf(shardsOf(plan, 2)), { sha256 }).results).toHaveLength(plan.jobs.length);
  });

  test('shards that were made with different durations are refused where they do not make up the plan', () => {
    const plan = makePlan(9, { trials: 1 });
    const slow = plan.jobs
      .filter(({ case: id }) => id === 'case-1')
      .map((job) => resultOf(job, { spent: { ...resultOf(job).spent, duration: 60_000 } }));
    const fast = plan.jobs.filter(({ case: id }) => id !== 'case-1').map((job) => resultOf(job));
    const [first] = shardsOf(plan, 2, [...slow, ...fast]);
    const [, second] = shardsOf(plan, 2);
    expect(merging(partsOf([first as EvalShard, second as EvalShard]))).toThrow(/is in (no shard|the shards)/u);
  });

  test('tells which shards are missing', () => {
    const parts = partsOf(shardsOf(makePlan(9), 4));
    expect(merging([parts[1], parts[3]] as never)).toThrow('Of 4 shards, there are 2: 1, 3 are missing.');
  });

  test('goes by how long each case took: longest first, to where least is to do', () => {
    const plan = makePlan(5, { trials: 1 });
    const durations = plan.jobs.map((job) => {
      const result = resultOf(job);
      return { ...result, spent: { ...result.spent, duration: job.case === 'case-1' ? 40_000 : 10_000 } };
    });
    const [first, second] = shardsOf(plan, 2, durations);
    const casesOf = ({ jobs, keys }: EvalShard): readonly string[] => [
      ...new Set(jobs.filter(({ key }) => keys.includes(key)).map(({ case: id }) => id)),
    ];
    expect(casesOf(first as EvalShard)).toEqual(['case-1']);
    expect(casesOf(second as EvalShard)).toEqual(['case-2', 'case-3', 'case-4', 'case-5']);
  });

  test('is the same whatever order the durations come in', () => {
    fc.assert(
      fc.property(plans, counts, seconds, (plan, count, durations) => {
        const known = withDurations(plan, durations);
        expect(shardsOf(plan, count, known.toReversed())).toEqual(shardsOf(plan, count, known));
      }),
      { numRuns: 100 },
    );
  });

  test('may have more shards than there is to do', () => {
    const shards = shardsOf(makePlan(1, { trials: 1 }), 5);
    expect(shards.map(({ keys }) => keys.length)).toEqual([2, 0, 0, 0, 0]);
    expect(mergeShards(partsOf(shards)).results).toHaveLength(2);
  });

  test('of several results of one trial, the last one counts', () => {
    const [shard] = shardsOf(makePlan(1, { trials: 1 }), 1) as readonly [EvalShard];
    const results = [...shard.jobs.map((job) => resultOf(job, { outcome: 'error' })), ...resultsOf(shard)];
    expect(mergeShards([{ shard, results }]).results.map(({ outcome }) => outcome)).toEqual(['passed', 'passed']);
  });

  test('a shard that there is not is refused', () => {
    for (const [index, count] of [
      [0, 4],
      [5, 4],
      [1, 0],
      [1.5, 4],
      [Number.NaN, 4],
      [1, 1e9],
    ] as const) {
      expect(() => shardPlan(makePlan(1), { index, count })).toThrow(expect.objectContaining({ code: 'USAGE' }));
    }
    expect(() => shardPlan(makePlan(1), { index: 1, of: 2 } as never)).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    );
  });
});

describe('the document of a plan, and of a shard', () => {
  test('is read back as it was, and the same plan gives the same text', () => {
    fc.assert(
      fc.property(plans, counts, (plan, count) => {
        expect(parsePlan(formatPlan(plan))).toEqual(plan);
        expect(formatPlan(parsePlan(formatPlan(plan)))).toBe(formatPlan(plan));
        const [shard] = shardsOf(plan, count) as readonly [EvalShard];
        expect(parseShard(formatShard(shard))).toEqual(shard);
      }),
      { numRuns: 50 },
    );
  });

  test('of as many jobs as a plan can have is read', () => {
    const plan = makePlan(1_000, { trials: 10 });
    expect(plan.jobs).toHaveLength(20_000);
    expect(parsePlan(formatPlan(plan)).jobs).toHaveLength(20_000);
    expect(parseShard(formatShard(shardPlan(plan, { index: 1, count: 1 }))).keys).toHaveLength(20_000);
  });

  test('that is none is refused, with the place', () => {
    const text = formatPlan(makePlan(1));
    expect(() => parsePlan(text.replace('"with_skill"', '"with_luck"'))).toThrow('jobs');
    expect(() => parsePlan(text.replace(/"digest": "sha256:[0-9a-f]+"/u, '"digest": "x"'))).toThrow(
      'expected a digest',
    );
    expect(() => parsePlan('{}')).toThrow(expect.objectContaining({ code: 'INVALID_RESULTS' }));
    expect(() => parsePlan(text.replace('"formatVersion": 1', '"formatVersion": 2'))).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_FORMAT' }),
    );
    expect(() => parseShard(text)).toThrow(expect.objectContaining({ code: 'INVALID_RESULTS' }));
  });
});
