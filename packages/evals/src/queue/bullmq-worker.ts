import { expectOptions, SkillsError, visibleText, type Digest } from '@skillpack/core';
import { QueueEvents, WaitingError, Worker, type Job, type QueueEventsListener } from 'bullmq';
import type { EvalJob, EvalPlan } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';
import { openRedis, watchConnection, type OpenRedis } from './open-redis.js';
import { queuedKey } from './queued-job.js';
import { checkMilliseconds, checkPlace, defaultQueue, type QueuePlace } from './queue-options.js';
import type { Refusal } from './refusal-log.js';

/** What a worker does. */
export interface BullmqWorkerOptions extends QueuePlace {
  /** What it is ready to do. A job that is not in it is put back, and the worker ends: it has other cases, or other skills. */
  readonly plan: EvalPlan;
  /** Runs a job of the plan. What it throws loses the job; what is to be tried again is tried in it. */
  readonly work: (job: EvalJob, options: { readonly signal: AbortSignal }) => Promise<EvalResult>;
  /** Trials at the same time. @default 4 */
  readonly concurrency?: number | undefined;
  /** What messages call it. @default a number */
  readonly name?: string | undefined;
  /** Milliseconds without a sign of life after which another worker does a job anew. @default 30_000 */
  readonly lock?: number | undefined;
}

/** A worker. Disposing of it closes it at once. */
export interface BullmqWorker extends AsyncDisposable {
  /** Ends when it is closed. @throws `SHARD_MISMATCH` where it met a job that is not in its plan. */
  readonly finished: Promise<void>;
  /** Takes no more jobs. `now`: what is under way is put back, for another worker; else it is done first. */
  close(options?: { readonly now?: boolean | undefined }): Promise<void>;
}

const optionNames: Readonly<Record<keyof BullmqWorkerOptions, true>> = {
  connection: true,
  queue: true,
  prefix: true,
  connectTimeout: true,
  plan: true,
  work: true,
  concurrency: true,
  name: true,
  lock: true,
};

/**
 * Works on the jobs that `bullmqExecutor` hands out. The queue says only which job of the worker's own plan is to be done: the
 * case, the skills and the model are those that the worker has.
 *
 * @throws `USAGE` for options that there are not, `NETWORK_ERROR` where Redis does not answer.
 */
export async function startBullmqWorker(options: BullmqWorkerOptions): Promise<BullmqWorker> {
  expectOptions(options, { of: 'startBullmqWorker', names: optionNames });
  const { concurrency = 4 } = options;
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    throw new SkillsError('USAGE', `The concurrency of a worker is a whole number from 1, not ${String(concurrency)}.`);
  }
  checkPlace(options);
  checkMilliseconds('lock', options.lock);
  const redis = await openRedis(options);
  const worker = new QueueWorker(redis, options, concurrency);
  await worker.start();
  return worker;
}

/** Milliseconds for which a worker that leaves waits for a connection that is lost. */
const leavingPatience = 3000;

interface CalledOff {
  readonly jobId: string;
}

interface CallOffListener extends QueueEventsListener {
  'called-off': (event: CalledOff, id: string) => void;
}

class QueueWorker implements BullmqWorker {
  readonly finished: Promise<void>;
  readonly #settle: { readonly resolve: () => void; readonly reject: (error: SkillsError) => void };
  readonly #redis: OpenRedis;
  readonly #options: BullmqWorkerOptions;
  readonly #queue: string;
  readonly #jobs: ReadonlyMap<Digest, EvalJob>;
  readonly #events: QueueEvents;
  readonly #worker: Worker<unknown, EvalResult>;
  /** What is under way, by the id of its job: aborted where it is called off, or is to be put back. */
  readonly #active = new Map<string, AbortController>();
  #leaving = false;
  #refusal: SkillsError | undefined;
  #closing: Promise<void> | undefined;

  constructor(redis: OpenRedis, options: BullmqWorkerOptions, concurrency: number) {
    this.#redis = redis;
    this.#options = options;
    this.#queue = options.queue ?? defaultQueue;
    this.#jobs = new Map(options.plan.jobs.map((job) => [job.key, job]));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.finished = promise;
    this.#settle = { resolve, reject };
    // Whoever only closes it need not look at it.
    promise.catch(() => undefined);
    const place = { connection: redis.client, prefix: options.prefix ?? 'bull' };
    const lock = options.lock ?? 30_000;
    this.#events = new QueueEvents(this.#queue, place);
    this.#worker = new Worker<unknown, EvalResult>(this.#queue, async (job, token) => this.#process(job, token), {
      ...place,
      autorun: false,
      concurrency,
      lockDuration: lock,
      stalledInterval: lock,
      // A job that took two workers with it takes no third one.
      maxStalledCount: 1,
      ...(options.name === undefined ? {} : { name: options.name }),
    });
    this.#events.on<CallOffListener>('called-off', (event: CalledOff) => this.#active.get(event.jobId)?.abort());
    // Another worker has it by now: to go on would pay for it twice.
    this.#worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) this.#active.get(id)?.abort();
    });
    const remember = (error: Error): void => {
      redis.lastError = visibleText(error.message);
    };
    this.#worker.on('error', remember);
    this.#events.on('error', remember);
  }

  async start(): Promise<void> {
    await this.#events.waitUntilReady();
    await this.#worker.waitUntilReady();
    void this.#worker.run().catch((error: unknown) => {
      if (this.#closing === undefined) throw error;
    });
  }

  async #process(job: Job<unknown, EvalResult>, token: string | undefined): Promise<EvalResult> {
    const key = queuedKey(job.data);
    const planned = key === undefined ? undefined : this.#jobs.get(key);
    if (planned === undefined) return this.#refuse(job, token);
    if (this.#leaving) return this.#putBack(job, token);
    const abort = new AbortController();
    const id = job.id ?? planned.key;
    this.#active.set(id, abort);
    try {
      const result = await this.#options.work(planned, { signal: abort.signal });
      // What was cut short because this worker leaves is no result of the trial.
      if (!this.#leaving || !abort.signal.aborted) return result;
    } catch (error) {
      // BullMQ reads the message of what is thrown, and never ends a job where there is none to read.
      if (!this.#leaving || !abort.signal.aborted) throw asError(error);
    } finally {
      this.#active.delete(id);
    }
    return this.#putBack(job, token);
  }

  async #putBack(job: Job<unknown, EvalResult>, token: string | undefined): Promise<never> {
    await job.moveToWait(token);
    throw new WaitingError();
  }

  async #refuse(job: Job<unknown, EvalResult>, token: string | undefined): Promise<never> {
    const name = this.#options.name ?? this.#worker.id;
    // It takes no more before it puts this one back, or it would take it again.
    await this.#worker.pause(true);
    const refusal: Refusal = { refusedBy: name, plan: this.#options.plan.digest };
    await job.updateProgress({ ...refusal });
    const other = typeof job.data === 'object' && job.data !== null && 'plan' in job.data ? job.data.plan : undefined;
    const wanted = typeof other === 'string' ? `the plan ${visibleText(other).slice(0, 100)}` : 'another plan';
    this.#refusal ??= new SkillsError(
      'SHARD_MISMATCH',
      `The queue ${this.#queue} has a job of ${wanted}, and this worker has the plan ${this.#options.plan.digest}.`,
      {
        hint: 'Give the worker the same cases, skills and options as whoever hands out the jobs, or use another queue.',
        data: { queue: this.#queue, plan: this.#options.plan.digest },
      },
    );
    // Not awaited: it waits for this job.
    void this.close();
    return this.#putBack(job, token);
  }

  async close({ now = false }: { readonly now?: boolean | undefined } = {}): Promise<void> {
    if (now) {
      this.#leaving = true;
      for (const abort of this.#active.values()) abort.abort();
    }
    this.#closing ??= this.#end();
    await this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close({ now: true });
  }

  async #end(): Promise<void> {
    // Without Redis nothing can be put back: whoever looks for stalled jobs will find it.
    using watch = watchConnection(this.#redis, () => leavingPatience);
    try {
      await this.#worker.pause(true);
      await Promise.race([this.#closeParts(), watch.lost]);
    } catch (error) {
      if (!SkillsError.is(error, 'NETWORK_ERROR')) throw error;
    } finally {
      this.#redis[Symbol.dispose]();
      if (this.#refusal === undefined) this.#settle.resolve();
      else this.#settle.reject(this.#refusal);
    }
  }

  async #closeParts(): Promise<void> {
    await this.#worker.close();
    await this.#events.close();
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
