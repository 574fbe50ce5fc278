import { expectOptions, SkillsError, visibleText } from '@skillpack/core';
import { Queue, QueueEvents, QueueEventsProducer, type Job } from 'bullmq';
import type { EvalJob } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';
import type { EvalExecutor } from '../run/eval-executor.js';
import { openRedis, watchConnection, type ConnectionWatch, type OpenRedis } from './open-redis.js';
import { queueIdOf, type QueuedJob } from './queued-job.js';
import { defaultQueue, type QueuePlace } from './queue-options.js';
import { readQueuedResult } from './read-queued-result.js';
import { RefusalLog } from './refusal-log.js';

/** How jobs are handed out. */
export interface BullmqExecutorOptions extends QueuePlace {
  /** Digest of the plan, for the message of a worker that has another one. @default nothing is said of it */
  readonly plan?: string | undefined;
  /** Milliseconds for which nobody may be at work before it is given up. @default 60_000 */
  readonly patience?: number | undefined;
  /**
   * Whether results are taken that an earlier run had ordered and never collected, because it was ended before.
   *
   * @default true
   */
  readonly reuse?: boolean | undefined;
}

const optionNames: Readonly<Record<keyof BullmqExecutorOptions, true>> = {
  connection: true,
  queue: true,
  prefix: true,
  connectTimeout: true,
  plan: true,
  patience: true,
  reuse: true,
};

// A result that nobody collects is kept for a week: the run that ordered it may be resumed.
const keptSeconds = 7 * 24 * 3600;
// Events tell of results at once. Should one be lost, as when a connection broke, this finds it.
const sweepEvery = 5000;
const bulk = 200;
const defaultPatience = 60_000;

/**
 * Hands jobs to workers on other machines, over a queue of BullMQ in Redis: see `startBullmqWorker`. A job stands in the queue
 * once, by its key, whoever asks for it how often. It is done at least once: where a worker dies, another one does it anew.
 *
 * Where the run is cancelled, what nobody works on is taken out of the queue, and those who work are told to stop.
 *
 * Its `execute` throws `NETWORK_ERROR` where Redis does not answer; `SHARD_MISMATCH` where only workers with another plan are
 * there; `TIMEOUT` where nobody is at work; `INVALID_RESULTS` for what is no result of the job; `EXIT_NONZERO` at the end, for
 * jobs that were lost because every worker that took them died. The results of all others were given before.
 *
 * @throws `USAGE` for options that there are not.
 */
export function bullmqExecutor(options: BullmqExecutorOptions): EvalExecutor {
  expectOptions(options, { of: 'bullmqExecutor', names: optionNames });
  return {
    async *execute(jobs, _work, { signal }) {
      if (jobs.length === 0 || signal.aborted) return;
      using redis = await openRedis(options);
      // Who cancels waits no longer than it takes to connect again.
      using watch = watchConnection(redis, () => (signal.aborted ? 1000 : (options.patience ?? defaultPatience)));
      const order = new QueueOrder({ redis, watch }, options, jobs);
      const wake = (): void => order.wake();
      signal.addEventListener('abort', wake);
      try {
        await order.begin();
        yield* order.collect(signal);
      } finally {
        signal.removeEventListener('abort', wake);
        await order.close();
      }
    },
  };
}

interface Connected {
  readonly redis: OpenRedis;
  readonly watch: ConnectionWatch;
}

/** Jobs that stand in a queue until their results are collected. */
class QueueOrder {
  readonly #name: string;
  readonly #queue: Queue<QueuedJob, unknown>;
  readonly #events: QueueEvents;
  readonly #pending: Map<string, EvalJob>;
  readonly #lost = new Map<string, string>();
  readonly #refusals: RefusalLog;
  readonly #finished = new Set<string>();
  readonly #redis: OpenRedis;
  readonly #watch: ConnectionWatch;
  readonly #options: BullmqExecutorOptions;
  #wake: () => void = () => undefined;

  constructor({ redis, watch }: Connected, options: BullmqExecutorOptions, jobs: readonly EvalJob[]) {
    this.#redis = redis;
    this.#watch = watch;
    this.#options = options;
    this.#name = options.queue ?? defaultQueue;
    this.#pending = new Map(jobs.map((job) => [queueIdOf(job.key), job]));
    const place = { connection: redis.client, prefix: options.prefix ?? 'bull' };
    this.#queue = new Queue(this.#name, place);
    this.#events = new QueueEvents(this.#name, place);
    this.#refusals = new RefusalLog(this.#name);
    const note = ({ jobId }: { readonly jobId: string }): void => {
      if (!this.#pending.has(jobId)) return;
      this.#finished.add(jobId);
      this.wake();
    };
    this.#events.on('completed', note);
    this.#events.on('failed', note);
    this.#events.on('progress', ({ data }) => this.#refusals.note(data));
    // Connections are mended; that one is gone for good is told by the sweep.
    const remember = (error: Error): void => {
      redis.lastError = visibleText(error.message);
    };
    this.#queue.on('error', remember);
    this.#events.on('error', remember);
  }

  wake(): void {
    this.#wake();
  }

  async begin(): Promise<void> {
    await this.#reach(this.#place());
  }

  /** Puts into the queue what is not there yet. What failed before, or was given up, is put there anew. */
  async #place(ids: Iterable<string> = this.#pending.keys()): Promise<void> {
    await this.#events.waitUntilReady();
    const { plan, reuse = true } = this.#options;
    const wanted = [...ids].flatMap((id) => {
      const job = this.#pending.get(id);
      return job === undefined ? [] : [[id, job] as const];
    });
    for (const part of partsOf(wanted, bulk)) {
      await Promise.all(part.map(async ([id, job]) => this.#clear(id, job, reuse)));
      await this.#queue.addBulk(
        part.map(([jobId, { key }]) => ({
          name: 'trial',
          data: { key, ...(plan === undefined ? {} : { plan }) },
          opts: { jobId, attempts: 1, removeOnComplete: { age: keptSeconds }, removeOnFail: { age: keptSeconds } },
        })),
      );
    }
    await this.#sweep();
  }

  async *collect(signal: AbortSignal): AsyncGenerator<EvalResult> {
    let quietSince = Date.now();
    while (this.#pending.size > 0) {
      for (const id of this.#finished) {
        this.#finished.delete(id);
        const result = await this.#reach(this.#take(id));
        if (result === undefined) continue;
        quietSince = Date.now();
        // Whoever takes the next one has this one in the log: until then a crash leaves it in the queue.
        yield result;
        await this.#reach(this.#remove(id));
      }
      if (this.#pending.size === 0 || signal.aborted) break;
      await this.#pause(signal);
      if (this.#finished.size > 0 || signal.aborted) continue;
      await this.#reach(this.#sweep());
      if ((await this.#reach(this.#queue.getWorkersCount())) > 0) quietSince = Date.now();
      else if (Date.now() - quietSince >= (this.#options.patience ?? defaultPatience)) throw this.#nobody();
    }
    if (this.#lost.size > 0) throw this.#lostError();
  }

  /** Takes out what was not begun, and calls off what was, unless everything is done. */
  async close(): Promise<void> {
    const parts = [this.#events, this.#queue];
    if (this.#redis.client.status === 'ready' && this.#pending.size > 0) await this.#reach(this.#callOff());
    this.#redis.giveUp();
    // Without a connection they would wait for one.
    const closing = Promise.allSettled(parts.map(async (part) => part.close()));
    if (this.#redis.client.status === 'ready') await closing;
  }

  /** What was asked, unless the connection is lost before there is an answer. */
  async #reach<Answer>(asked: Promise<Answer>): Promise<Answer> {
    return Promise.race([asked, this.#watch.lost]);
  }

  async #clear(id: string, job: EvalJob, reuse: boolean): Promise<void> {
    const state = await this.#queue.getJobState(id);
    if (state !== 'completed' && state !== 'failed') return;
    if (state === 'completed' && reuse) {
      const found = await this.#queue.getJob(id);
      if (found !== undefined && this.#worthKeeping(found, job)) return;
    }
    await this.#remove(id);
  }

  #worthKeeping(found: Job<QueuedJob, unknown>, job: EvalJob): boolean {
    try {
      const { outcome } = readQueuedResult(found.returnvalue, job, this.#name);
      return outcome !== 'error' && outcome !== 'stopped';
    } catch (error) {
      if (SkillsError.is(error, 'INVALID_RESULTS')) return false;
      throw error;
    }
  }

  async #take(id: string): Promise<EvalResult | undefined> {
    const job = this.#pending.get(id);
    if (job === undefined) return undefined;
    // The state before the job: the other way round, a job that ends in between would be completed without a result.
    const state = await this.#queue.getJobState(id);
    if (state !== 'completed' && state !== 'failed') return undefined;
    const found = await this.#queue.getJob(id);
    if (found === undefined) return undefined;
    if (state === 'completed') {
      const result = readQueuedResult(found.returnvalue, job, this.#name);
      this.#pending.delete(id);
      return result;
    }
    this.#pending.delete(id);
    this.#lost.set(job.key, visibleText(found.failedReason ?? 'nobody says why').slice(0, 500));
    await this.#remove(id);
    return undefined;
  }

  /** Looks at every job that is waited for. What is not in the queue any more, as after a loss of it, is put there anew. */
  async #sweep(): Promise<void> {
    const gone: string[] = [];
    for (const part of partsOf([...this.#pending.keys()], bulk)) {
      const states = await Promise.all(part.map(async (id) => [id, await this.#queue.getJobState(id)] as const));
      for (const [id, state] of states) {
        if (state === 'completed' || state === 'failed') this.#finished.add(id);
        if (state === 'unknown') gone.push(id);
      }
    }
    if (gone.length > 0) await this.#place(gone);
  }

  /** Ends with an event, with the signal, or after a while. */
  async #pause(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(sweepEvery, this.#options.patience ?? sweepEvery));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (signal.aborted || this.#finished.size > 0) this.#wake();
    });
  }

  async #remove(id: string): Promise<void> {
    // One that is being worked on cannot be removed, and is not to be.
    await this.#queue.remove(id).catch(() => 0);
  }

  async #callOff(): Promise<void> {
    const place = { connection: this.#redis.client, prefix: this.#options.prefix ?? 'bull' };
    const producer = new QueueEventsProducer(this.#name, place);
    producer.on('error', () => undefined);
    try {
      for (const part of partsOf([...this.#pending.keys()], bulk)) {
        await Promise.all(
          part.map(async (id) => {
            const state = await this.#queue.getJobState(id);
            if (state === 'active') await producer.publishEvent({ eventName: 'called-off', jobId: id });
            else if (state !== 'completed') await this.#remove(id);
          }),
        );
      }
    } finally {
      await producer.close();
    }
  }

  #nobody(): SkillsError {
    const waiting = `${this.#pending.size} job${this.#pending.size === 1 ? '' : 's'}`;
    const refusal = this.#refusals.describe(this.#options.plan);
    if (refusal !== undefined) {
      return new SkillsError(
        'SHARD_MISMATCH',
        `${refusal} Nobody else works on the queue ${this.#name}, and ${waiting} wait in it.`,
        {
          hint: 'Start workers with the same cases, skills and options.',
          data: { queue: this.#name, waiting: this.#pending.size },
        },
      );
    }
    return new SkillsError(
      'TIMEOUT',
      `Nobody works on the queue ${this.#name} at ${this.#redis.address}, and ${waiting} wait in it.`,
      {
        hint: 'Start a worker (startBullmqWorker) with the same queue.',
        data: { queue: this.#name, waiting: this.#pending.size },
      },
    );
  }

  #lostError(): SkillsError {
    const [first] = this.#lost;
    const lost = `${this.#lost.size} job${this.#lost.size === 1 ? ' was' : 's were'} lost`;
    return new SkillsError('EXIT_NONZERO', `${lost} on the queue ${this.#name}: ${first?.[1] ?? ''}`, {
      hint: 'The results of all others are kept. Look at the workers, and run it again: only these are run.',
      data: { queue: this.#name, keys: [...this.#lost.keys()] },
    });
  }
}

function* partsOf<Item>(items: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
