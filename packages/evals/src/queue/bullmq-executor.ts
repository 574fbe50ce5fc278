import { expectOptions } from '@skillpack/core';
import type { EvalExecutor } from '../run/eval-executor.js';
import { openRedis, watchConnection } from './open-redis.js';
import { checkMilliseconds, checkPlace, defaultQueue, type QueuePlace } from './queue-options.js';
import { QueueOrder } from './queue-order.js';

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

/**
 * Hands jobs to workers on other machines, over a queue of BullMQ in Redis: see `startBullmqWorker`. A job stands in the queue
 * once, by its key, whoever asks for it how often. It is done at least once: where a worker dies, another one does it anew.
 *
 * Where the run is cancelled, what nobody works on is taken out of the queue, and those who work are told to stop. Where a
 * budget is spent, what somebody works on is waited for. What another run on the same queue called off is ordered anew.
 *
 * Its `execute` throws `NETWORK_ERROR` where Redis does not answer; `SHARD_MISMATCH` where only workers with another plan are
 * there; `TIMEOUT` where nobody is at work; `INVALID_RESULTS` for what is no result of the job; `EXIT_NONZERO` at the end, for
 * jobs that were lost because every worker that took them died. The results of all others were given before.
 *
 * @throws `USAGE` for options that there are not.
 */
export function bullmqExecutor(options: BullmqExecutorOptions): EvalExecutor {
  expectOptions(options, { of: 'bullmqExecutor', names: optionNames });
  checkPlace(options);
  const { queue = defaultQueue, prefix = 'bull', plan, patience = 60_000, reuse = true } = options;
  checkMilliseconds('patience', patience);
  return {
    async *execute(jobs, _work, { signal, cancelled = signal }) {
      if (jobs.length === 0 || signal.aborted) return;
      using redis = await openRedis(options);
      // Who cancels waits no longer than it takes to connect again.
      using watch = watchConnection(redis, () => (cancelled.aborted ? 1000 : patience));
      const order = new QueueOrder({ redis, watch, queue, prefix, plan, patience, reuse }, jobs);
      const wake = (): void => order.wake();
      for (const end of [signal, cancelled]) end.addEventListener('abort', wake);
      try {
        await order.begin();
        yield* order.collect({ signal, cancelled });
      } finally {
        for (const end of [signal, cancelled]) end.removeEventListener('abort', wake);
        await order.close();
      }
    },
  };
}
