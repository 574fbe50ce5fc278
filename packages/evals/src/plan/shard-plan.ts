import { expectOptions, SkillsError } from '@skillpack/core';
import type { EvalResult } from '../results/eval-result.js';
import type { EvalJob, EvalPlan, EvalShard } from './eval-job.js';
import { expectPlan } from './expect-given.js';
import { groupOf } from './job-group.js';
import { mostJobs } from './job-schema.js';

/** Which part of a plan it is. */
export interface ShardOptions {
  /** From 1. */
  readonly index: number;
  readonly count: number;
  /**
   * Results of an earlier run, for how long each case takes. All machines have to be given the same ones.
   *
   * @default every trial takes as long as every other
   */
  readonly durations?: readonly Pick<EvalResult, 'suite' | 'case' | 'arm' | 'model' | 'spent'>[] | undefined;
}

const optionNames: Readonly<Record<keyof ShardOptions, true>> = { index: true, count: true, durations: true };

/**
 * The part of a plan that one of several machines runs. All arms and models of one trial of a case are in one shard;
 * longest first, each goes where least is to do. The same plan and options give the same shards.
 *
 * @throws `USAGE` for an index that is none of the count.
 */
export function shardPlan(plan: EvalPlan, options: ShardOptions): EvalShard {
  expectOptions(options, { of: 'shardPlan', names: optionNames });
  expectPlan(plan, 'shardPlan');
  const { index, count, durations = [] } = options;
  if (!isNumber(count, mostJobs) || !isNumber(index, count)) {
    throw new SkillsError('USAGE', `There is no shard ${index} of ${count}.`, {
      hint: `Shards are counted from 1, and there are at most ${mostJobs}: 1 of 4.`,
      data: { index, count },
    });
  }
  const { digest, jobs } = plan;
  const own = new Set(partOf(jobs, estimate(durations), { index, count }));
  const keys = jobs.filter((job) => own.has(job)).map(({ key }) => key);
  return { formatVersion: 1, plan: digest, index, count, jobs, keys };
}

function isNumber(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}

interface Group {
  readonly jobs: EvalJob[];
  duration: number;
}

function partOf(
  jobs: readonly EvalJob[],
  durationOf: (job: EvalJob) => number,
  { index, count }: Pick<ShardOptions, 'index' | 'count'>,
): readonly EvalJob[] {
  const groups = new Map<string, Group>();
  for (const job of jobs) {
    const name = groupOf(job);
    const group = groups.get(name) ?? { jobs: [], duration: 0 };
    groups.set(name, group);
    group.jobs.push(job);
    group.duration += durationOf(job);
  }
  const loads = Array.from({ length: count }, () => 0);
  const part: EvalJob[] = [];
  // Those of the same duration stay in the order of the plan: sorting is stable.
  for (const group of [...groups.values()].toSorted((left, right) => right.duration - left.duration)) {
    const least = indexOfLeast(loads);
    loads[least] = (loads[least] ?? 0) + group.duration;
    if (least === index - 1) part.push(...group.jobs);
  }
  return part;
}

function indexOfLeast(loads: readonly number[]): number {
  let least = 0;
  for (const [at, load] of loads.entries()) if (load < (loads[least] ?? 0)) least = at;
  return least;
}

/** Milliseconds of a job: what it took before, else what its case did, else what a trial did on the whole, else 1. */
function estimate(durations: NonNullable<ShardOptions['durations']>): (job: EvalJob) => number {
  const means = new Map<string, { sum: number; count: number }>();
  const add = (name: string, duration: number): void => {
    const mean = means.get(name) ?? { sum: 0, count: 0 };
    means.set(name, { sum: mean.sum + duration, count: mean.count + 1 });
  };
  for (const result of durations) {
    const { duration } = result.spent;
    // Whole milliseconds add up to the same sum in any order.
    const whole = Math.max(1, Math.round(Math.min(duration, 1e9)));
    if (!Number.isFinite(whole)) continue;
    for (const name of namesOf(result)) add(name, whole);
  }
  return (job) => {
    for (const name of namesOf(job)) {
      const mean = means.get(name);
      if (mean !== undefined) return Math.round(mean.sum / mean.count);
    }
    return 1;
  };
}

function namesOf({
  suite,
  case: id,
  arm,
  model,
}: Pick<EvalJob, 'suite' | 'case' | 'arm' | 'model'>): readonly string[] {
  return [[suite, id, arm, model], [suite, id], []].map((parts) => JSON.stringify(parts));
}
