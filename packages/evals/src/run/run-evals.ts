import { expectOptions, SkillsError } from '@skillpack/core';
import type { EvalJob } from '../plan/eval-job.js';
import { expectJudge, expectPorts } from '../plan/expect-ports.js';
import { isOfJob } from '../plan/is-of-job.js';
import type { EvalResult } from '../results/eval-result.js';
import type { EvalPorts } from '../trial/eval-ports.js';
import type { EvalExecutor } from './eval-executor.js';
import type { RunEvalsOptions } from './eval-options.js';
import type { EvalRun, EvalWork } from './eval-work.js';
import { expectWork } from './expect-work.js';
import { inProcess } from './in-process.js';
import { prepareWork, type DoJob } from './prepare-work.js';

const optionNames: Readonly<Record<keyof RunEvalsOptions, true>> = {
  signal: true,
  concurrency: true,
  retries: true,
  executor: true,
  shard: true,
  fresh: true,
  onResult: true,
  onStart: true,
};

/**
 * Runs a plan: each of its jobs that has no result in the log yet, or one that was an `error` or was `stopped`. Each result
 * is in the log before the next thing is told of it. Once a budget is spent nothing is begun any more; once it is
 * cancelled, what is under way is ended, too: the log stays whole, and running the same plan again goes on from there.
 *
 * @throws `USAGE` for options that make no sense; `SHARD_MISMATCH` for a shard of another plan, and for a plan of other
 * suites; what the log, the executor and `onResult` throw.
 * @example
 * ```ts
 * const plan = await planEvals(suites, ports, { models: ['scripted'] });
 * const { results } = await runEvals({ suites, plan }, ports);
 * ```
 */
export async function runEvals(work: EvalWork, ports: EvalPorts, options: RunEvalsOptions = {}): Promise<EvalRun> {
  expectOptions(options, { of: 'runEvals', names: optionNames });
  const { signal, concurrency, retries, executor = inProcess({ concurrency }), fresh = false, onStart } = options;
  expectWork(work, 'runEvals');
  expectPorts(ports, { of: 'runEvals', needs: ['registry', 'models', 'ground', 'clock', 'sha256', 'results'] });
  expectJudge(ports.judge, 'runEvals');
  const doJob = prepareWork(work, ports, { retries, onStart });
  const jobs = jobsOf(work, options);
  const run = new RunningEvals(work, jobs, { ports, options });
  const open = await run.reuse(fresh);
  if (open.length > 0) await run.execute(executor, doJob, { open, signal });
  return run.end();
}

/** @throws `SHARD_MISMATCH` for a shard of another plan. */
function jobsOf({ plan }: EvalWork, { shard }: RunEvalsOptions): readonly EvalJob[] {
  if (shard === undefined) return plan.jobs;
  if (shard.plan !== plan.digest) {
    throw new SkillsError('SHARD_MISMATCH', 'The shard is one of another plan.', {
      hint: 'Shard the plan that is run: cases, skills, models and options have to be the same.',
      data: { plan: plan.digest, shard: shard.plan },
    });
  }
  const keys = new Set(shard.keys);
  const own = plan.jobs.filter(({ key }) => keys.has(key));
  if (own.length === keys.size) return own;
  throw new SkillsError('SHARD_MISMATCH', 'The shard has jobs that are not in its plan.', {
    hint: 'Shard the plan again, or take the file as it was written.',
  });
}

/** Why nothing is begun any more while what is under way goes on. */
const enough = Symbol('enough');

interface Surroundings {
  readonly ports: EvalPorts;
  readonly options: RunEvalsOptions;
}

interface Execution {
  readonly open: readonly EvalJob[];
  readonly signal: AbortSignal | undefined;
}

/** Keeps the log, and what is known of each job. */
class RunningEvals {
  readonly #work: EvalWork;
  readonly #jobs: readonly EvalJob[];
  readonly #around: Surroundings;
  readonly #results = new Map<string, EvalResult>();
  readonly #enough = new AbortController();
  #reused = 0;
  #stoppedBy: EvalRun['stoppedBy'];

  constructor(work: EvalWork, jobs: readonly EvalJob[], around: Surroundings) {
    this.#work = work;
    this.#jobs = jobs;
    this.#around = around;
  }

  /** Takes what the log has. @returns what is left to do */
  async reuse(fresh: boolean): Promise<readonly EvalJob[]> {
    const { ports, options } = this.#around;
    const last = new Map((await ports.results.read()).map((result) => [result.key, result]));
    const tags = tagsOf(this.#work);
    const open: EvalJob[] = [];
    for (const job of this.#jobs) {
      const found = last.get(job.key);
      if (found === undefined || !isOfJob(found, job)) {
        open.push(job);
        continue;
      }
      // Tags are in no key: those of now count.
      const result = { ...found, tags: tags.get(placeOf(job)) ?? found.tags };
      // What is run anew is not what was there, also where it does not come to it.
      if (!fresh) this.#results.set(job.key, result);
      if (fresh || result.outcome === 'error' || result.outcome === 'stopped') open.push(job);
      else {
        this.#reused += 1;
        options.onResult?.(result, { reused: true });
      }
    }
    return open;
  }

  async execute(executor: EvalExecutor, doJob: DoJob, { open, signal }: Execution): Promise<void> {
    const cancelled = signal ?? new AbortController().signal;
    const work: DoJob = async (job, how) => doJob(job, { signal: underWay(how.signal, cancelled) });
    const waiting = new Map<string, EvalJob>(open.map((job) => [job.key, job]));
    const both = AbortSignal.any([cancelled, this.#enough.signal]);
    const ends = { signal: both, cancelled };
    for await (const result of executor.execute(open, work, ends)) await this.#take(result, waiting);
    const stopped = [...this.#results.values()].filter(
      ({ key, outcome }) => outcome === 'stopped' && !waiting.has(key),
    );
    const missing = waiting.size + stopped.length;
    if (missing === 0 || this.#stoppedBy !== undefined) return;
    if (!cancelled.aborted) throw lost(missing);
    this.#stoppedBy = { code: 'INTERRUPTED', message: 'It was cancelled.' };
  }

  /** A job that is done twice, as queues do now and then, counts once. */
  async #take(result: EvalResult, waiting: Map<string, EvalJob>): Promise<void> {
    const { ports, options } = this.#around;
    // Who does jobs elsewhere may say anything.
    if (!isOfJob(result, waiting.get(result.key))) return;
    waiting.delete(result.key);
    await ports.results.append(result);
    this.#results.set(result.key, result);
    if (result.outcome === 'stopped' && result.reason?.code === 'BUDGET_EXHAUSTED') {
      this.#stoppedBy ??= { code: 'BUDGET_EXHAUSTED', message: result.reason.message };
      this.#enough.abort(enough);
    }
    options.onResult?.(result, { reused: false });
  }

  end(): EvalRun {
    const results = this.#jobs.flatMap(({ key }) => this.#results.get(key) ?? []);
    const stoppedBy = this.#stoppedBy;
    return { plan: this.#work.plan, results, reused: this.#reused, ...(stoppedBy !== undefined && { stoppedBy }) };
  }
}

function lost(jobs: number): SkillsError {
  return new SkillsError('INTERNAL', `The executor ended without a result of ${jobs} ${jobs === 1 ? 'job' : 'jobs'}.`, {
    hint: 'What it gave is in the log. Run it again, or by another executor.',
  });
}

/** What is under way ends when it is cancelled, not when nothing more is to be begun. */
function underWay(signal: AbortSignal, cancelled: AbortSignal): AbortSignal {
  const own = new AbortController();
  const follow = (): void => {
    if (signal.reason !== enough) own.abort(signal.reason);
  };
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return AbortSignal.any([own.signal, cancelled]);
}

function tagsOf({ suites }: EvalWork): ReadonlyMap<string, readonly string[]> {
  return new Map(
    suites.flatMap(({ name, cases }) =>
      cases.map(({ id, tags }) => [placeOf({ suite: name, case: id }), tags] as const),
    ),
  );
}

function placeOf({ suite, case: id }: Pick<EvalJob, 'suite' | 'case'>): string {
  return JSON.stringify([suite, id]);
}
