import { expectOptions, quoted, SkillsError, type Sha256 } from '@skillpack/core';
import type { EvalResult } from '../results/eval-result.js';
import type { EvalJob, EvalPlan, EvalShard } from './eval-job.js';
import { expectResults } from '../score/expect-results.js';
import { expectShard, unexpected } from './expect-given.js';
import { groupOf } from './job-group.js';
import { isOfJob } from './is-of-job.js';
import { planDigest } from './plan-digest.js';
import { repeatedJob } from './repeated-job.js';

/** A shard, and what came of it. */
export interface ShardResults {
  readonly shard: EvalShard;
  /** As its log has them: of several of one key, the last one counts. */
  readonly results: readonly EvalResult[];
}

/** How shards are merged. */
export interface MergeShardsOptions {
  /** @default whether the plan is as it was made is not looked at */
  readonly sha256?: Sha256 | undefined;
}

/**
 * Makes one run of all shards of a plan. Nothing is left out in silence: what is not all of it is refused.
 *
 * @returns the results in the order of the plan, one a job.
 * @throws `SHARD_MISMATCH` for a shard that is missing, there twice, or of another plan; for a job that is in no shard or
 * in two, or twice in the plan; for a job without a result; for a result of a job that is not in its shard; and, with
 * `sha256`, for a plan whose jobs are not those that its digest is of.
 */
export function mergeShards(
  parts: readonly ShardResults[],
  options: MergeShardsOptions = {},
): { readonly plan: EvalPlan; readonly results: readonly EvalResult[] } {
  expectOptions(options, { of: 'mergeShards', names: { sha256: true } });
  const { sha256 } = options;
  expectParts(parts);
  const [first] = parts;
  if (first === undefined) throw mismatch('There is no shard.', 'Name the folders of all of them.');
  const { plan: digest, jobs, count } = first.shard;
  checkNumbers(parts, count);
  for (const { shard } of parts) checkSamePlan(shard, first.shard);
  if (sha256 !== undefined && planDigest(jobs, sha256) !== digest) {
    throw mismatch(
      'The plan of the shards has other jobs than it was made of.',
      'Take the files as they were written.',
    );
  }
  const repeated = repeatedJob(jobs);
  if (repeated !== undefined) throw mismatch(`${nameOf(repeated)} is twice in the plan.`, again);
  checkParts(parts, jobs);
  const byKey = new Map<string, EvalResult>();
  for (const part of parts) for (const [key, result] of resultsOf(part)) byKey.set(key, result);
  // Each job is in a shard, and each shard has all of its results.
  const results = jobs.flatMap(({ key }) => byKey.get(key) ?? []);
  return { plan: { formatVersion: 1, digest, jobs }, results };
}

function expectParts(parts: readonly ShardResults[]): void {
  const given: unknown = parts;
  const hint = 'Each part has a shard and its results.';
  if (!Array.isArray(given)) throw unexpected('parts of mergeShards', { given, wanted: 'A list of parts', hint });
  for (const [at, part] of (given as unknown[]).entries()) {
    const which = `part ${at + 1} of mergeShards`;
    if (typeof part !== 'object' || part === null) throw unexpected(which, { given: part, wanted: 'A part', hint });
    const { shard, results } = part as ShardResults;
    expectShard(shard, `The shard of ${which}`);
    expectResults(results, { of: `part ${at + 1}` });
  }
}

function checkNumbers(parts: readonly ShardResults[], count: number): void {
  const odd = parts.find(({ shard }) => shard.count !== count)?.shard;
  if (odd !== undefined) {
    throw mismatch(
      `One shard is a part of ${count}, another one of ${odd.count}.`,
      'Merge those of one run: all have the same count.',
    );
  }
  const indexes = parts.map(({ shard }) => shard.index);
  const twice = indexes.find((index, at) => indexes.indexOf(index) !== at);
  if (twice !== undefined) {
    throw mismatch(`The shard ${twice} of ${count} is there twice.`, 'Leave one of both out, if they are the same.');
  }
  const outside = indexes.find((index) => !Number.isInteger(index) || index < 1 || index > count);
  if (outside !== undefined)
    throw mismatch(`There is no shard ${outside} of ${count}.`, 'Take the files as they were written.');
  if (indexes.length === count) return;
  const missing: number[] = [];
  for (let index = 1; index <= count && missing.length < 10; index += 1) {
    if (!indexes.includes(index)) missing.push(index);
  }
  const more = count - indexes.length > missing.length ? ' and more' : '';
  throw mismatch(
    `Of ${count} shards, there ${indexes.length === 1 ? 'is' : 'are'} ${indexes.length}: ${missing.join(', ')}${more} ${missing.length === 1 ? 'is' : 'are'} missing.`,
    'What failed may be in them. Run them, or fetch what they left.',
    { missing },
  );
}

function checkSamePlan(shard: EvalShard, first: EvalShard): void {
  const same =
    shard.plan === first.plan &&
    shard.jobs.length === first.jobs.length &&
    shard.jobs.every((job, at) => isOfJob(job, first.jobs[at]));
  if (same) return;
  throw mismatch(
    `The shards ${first.index} and ${shard.index} are of different plans.`,
    'Run all shards with the same cases, skills, models and options.',
    { plans: [first.plan, shard.plan] },
  );
}

/** Each job in exactly one shard, and all jobs of one trial of a case in the same one. */
function checkParts(parts: readonly ShardResults[], jobs: readonly EvalJob[]): void {
  const known = new Map(jobs.map((job) => [job.key, job]));
  const holder = new Map<string, number>();
  const groups = new Map<string, number>();
  for (const { shard } of parts) {
    for (const key of shard.keys) {
      const job = known.get(key);
      if (job === undefined)
        throw mismatch(`The shard ${shard.index} has a job that is not in the plan.`, again, { key });
      const other = holder.get(key);
      if (other !== undefined) throw mismatch(`${nameOf(job)} is in the shards ${other} and ${shard.index}.`, again);
      holder.set(key, shard.index);
      const group = groups.get(groupOf(job)) ?? shard.index;
      groups.set(groupOf(job), group);
      if (group !== shard.index)
        throw mismatch(`${nameOf(job)} was torn apart by the shards ${group} and ${shard.index}.`, again);
    }
  }
  const left = jobs.find(({ key }) => !holder.has(key));
  if (left !== undefined) throw mismatch(`${nameOf(left)} is in no shard.`, again);
}

const again = 'Shard with the same plan and the same durations on every machine.';

function resultsOf({ shard, results }: ShardResults): ReadonlyMap<string, EvalResult> {
  const own = new Set<string>(shard.keys);
  const jobs = new Map(shard.jobs.map((job) => [job.key, job]));
  const found = new Map<string, EvalResult>();
  for (const result of results) {
    if (!own.has(result.key) || !isOfJob(result, jobs.get(result.key))) {
      throw mismatch(
        `The shard ${shard.index} has a result of ${nameOf(result)}, which is not one of its jobs.`,
        'Begin the shard in a folder of its own.',
      );
    }
    found.set(result.key, result);
  }
  const missing = shard.jobs.filter(({ key }) => own.has(key) && !found.has(key));
  const [one] = missing;
  if (one === undefined) return found;
  throw mismatch(
    `The shard ${shard.index} is not finished: of ${own.size} results, ${missing.length} ${missing.length === 1 ? 'is' : 'are'} missing, such as that of ${nameOf(one)}.`,
    'Run it again: it goes on where it ended.',
  );
}

function nameOf({ suite, case: id, arm, model, trial }: EvalJob): string {
  return `trial ${trial} of ${quoted(`${suite}/${id}`)} (${arm}, ${quoted(model)})`;
}

function mismatch(message: string, hint: string, data?: Readonly<Record<string, unknown>>): SkillsError {
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return new SkillsError('SHARD_MISMATCH', sentence, { hint: `Nothing was merged. ${hint}`, data });
}
