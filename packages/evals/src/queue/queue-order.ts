import { SkillsError, visibleText } from '@skillpack/core';
import { Queue, QueueEvents, QueueEventsProducer, type Job } from 'bullmq';
import type { EvalJob } from '../plan/eval-job.js';
import type { EvalResult } from '../results/eval-result.js';
import { jobsLost, nobodyWorks } from './order-errors.js';
import type { ConnectionWatch, OpenRedis } from './open-redis.js';
import { queueIdOf, type QueuedJob } from './queued-job.js';
import { readQueuedResult } from './read-queued-result.js';
import { RefusalLog } from './refusal-log.js';

// A result that nobody collects is kept for a week: the run that ordered it may be resumed.
const keptSeconds = 7 * 24 * 3600;
// Events tell of results at once. Should one be lost, as when a connection broke, this finds it.
const sweepEvery = 5000;
const bulk = 200;
// An event of a job that is done holds its result, which is as long as a trial was. What is missed is found by the sweep.
const keptEvents = 100;
// How often somebody else may call off the same job until it is given up.
const mostOrders = 5;

/** What ends an order early. */
export interface Ends {
  /** Nothing more is to be begun. */
  readonly signal: AbortSignal;
  /** What is under way is to be ended, too. */
  readonly cancelled: AbortSignal;
}

/** Where an order is placed, and how. */
export interface OrderPlace {
  readonly redis: OpenRedis;
  readonly watch: ConnectionWatch;
  readonly queue: string;
  readonly prefix: string;
  readonly plan: string | undefined;
  readonly patience: number;
  readonly reuse: boolean;
}

/** Jobs that stand in a queue until their results are collected. */
export class QueueOrder {
  readonly #name: string;
  readonly #queue: Queue<QueuedJob, unknown>;
  readonly #events: QueueEvents;
  readonly #pending: Map<string, EvalJob>;
  readonly #lost = new Map<string, string>();
  readonly #refusals: RefusalLog;
  readonly #finished = new Set<string>();
  readonly #ordered = new Map<string, number>();
  readonly #redis: OpenRedis;
  readonly #watch: ConnectionWatch;
  readonly #options: OrderPlace;
  #wake: () => void = () => undefined;

  constructor(options: OrderPlace, jobs: readonly EvalJob[]) {
    const { redis } = options;
    this.#redis = redis;
    this.#watch = options.watch;
    this.#options = options;
    this.#name = options.queue;
    this.#pending = new Map(jobs.map((job) => [queueIdOf(job.key), job]));
    const place = { connection: redis.client, prefix: options.prefix };
    this.#queue = new Queue(this.#name, { ...place, streams: { events: { maxLen: keptEvents } } });
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
    const { plan, reuse } = this.#options;
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

  async *collect({ signal, cancelled }: Ends): AsyncGenerator<EvalResult> {
    let quietSince = Date.now();
    while (this.#pending.size > 0) {
      for (const id of this.#finished) {
        this.#finished.delete(id);
        const result = await this.#reach(this.#take(id, signal));
        if (result === undefined) continue;
        quietSince = Date.now();
        // Whoever takes the next one has this one in the log: until then a crash leaves it in the queue.
        yield result;
        await this.#reach(this.#remove(id));
      }
      const enough = signal.aborted;
      if (enough && !cancelled.aborted) await this.#reach(this.#withdraw());
      if (this.#pending.size === 0 || cancelled.aborted) break;
      await this.#pause(() => cancelled.aborted || signal.aborted !== enough);
      if (this.#finished.size > 0 || signal.aborted !== enough || cancelled.aborted) continue;
      if (!enough) await this.#reach(this.#sweep());
      if ((await this.#reach(this.#queue.getWorkersCount())) > 0) quietSince = Date.now();
      if (Date.now() - quietSince < this.#options.patience) continue;
      if (enough) break;
      {
        const place = { queue: this.#name, address: this.#redis.address };
        throw nobodyWorks({ ...place, waiting: this.#pending.size }, this.#refusals.describe(this.#options.plan));
      }
    }
    if (this.#lost.size > 0) throw jobsLost(this.#name, this.#lost);
  }

  /** Takes out what was not begun, and calls off what was, unless everything is done. */
  async close(): Promise<void> {
    const parts = [this.#events, this.#queue];
    if (this.#redis.client.status === 'ready') await this.#reach(this.#leave());
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

  async #take(id: string, signal: AbortSignal): Promise<EvalResult | undefined> {
    const job = this.#pending.get(id);
    if (job === undefined) return undefined;
    // The state before the job: the other way round, a job that ends in between would be completed without a result.
    const state = await this.#queue.getJobState(id);
    if (state !== 'completed' && state !== 'failed') return undefined;
    const found = await this.#queue.getJob(id);
    if (found === undefined) return undefined;
    if (state === 'completed') {
      const result = readQueuedResult(found.returnvalue, job, this.#name);
      if (calledOff(result) && !signal.aborted) return this.#orderAnew(id, job);
      this.#pending.delete(id);
      return result;
    }
    await this.#lose(id, job, visibleText(found.failedReason ?? 'nobody says why').slice(0, 500));
    return undefined;
  }

  /** Another run on this queue called off what this one waits for, too. */
  async #orderAnew(id: string, job: EvalJob): Promise<undefined> {
    const orders = (this.#ordered.get(id) ?? 1) + 1;
    this.#ordered.set(id, orders);
    if (orders > mostOrders) await this.#lose(id, job, `it was called off ${mostOrders} times`);
    else await this.#place([id]);
  }

  async #lose(id: string, job: EvalJob, reason: string): Promise<void> {
    this.#pending.delete(id);
    this.#lost.set(job.key, reason);
    await this.#remove(id);
  }

  /** Takes out what nobody works on, and waits for it no longer. */
  async #withdraw(): Promise<void> {
    for (const part of partsOf([...this.#pending.keys()], bulk)) {
      await Promise.all(
        part.map(async (id) => {
          const state = await this.#queue.getJobState(id);
          if (state === 'completed' || state === 'failed') this.#finished.add(id);
          else if (state === 'unknown' || (state !== 'active' && (await this.#remove(id)))) this.#pending.delete(id);
        }),
      );
    }
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

  /** Ends with an event, with a signal, or after a while. */
  async #pause(called: () => boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(sweepEvery, this.#options.patience));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (called() || this.#finished.size > 0) this.#wake();
    });
  }

  /** @returns whether it is gone: one that is being worked on cannot be removed, and is not to be. */
  async #remove(id: string): Promise<boolean> {
    return (await this.#queue.remove(id).catch(() => 0)) === 1;
  }

  /** Nothing is left of a queue that nobody uses but its name. */
  async #leave(): Promise<void> {
    if (this.#pending.size > 0) await this.#callOff();
    if ((await this.#queue.getJobCountByTypes()) === 0) await this.#queue.trimEvents(0);
  }

  async #callOff(): Promise<void> {
    const place = { connection: this.#redis.client, prefix: this.#options.prefix };
    const producer = new QueueEventsProducer(this.#name, place);
    producer.on('error', () => undefined);
    try {
      for (const part of partsOf([...this.#pending.keys()], bulk)) {
        await Promise.all(
          part.map(async (id) => {
            const state = await this.#queue.getJobState(id);
            if (state === 'completed' || state === 'unknown') return;
            // It may have been begun since.
            if (state === 'active' || !(await this.#remove(id))) {
              await producer.publishEvent({ eventName: 'called-off', jobId: id });
            }
          }),
        );
      }
    } finally {
      await producer.close();
    }
  }
}

/** Cut short by whoever ordered it, and no result of the trial. */
function calledOff({ outcome, reason }: EvalResult): boolean {
  return outcome === 'stopped' && reason?.code === 'INTERRUPTED';
}

function* partsOf<Item>(items: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
