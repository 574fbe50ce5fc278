import type { RedisOptions } from 'ioredis';

/** Where a queue is. */
export interface QueuePlace {
  /** A URL (`redis://…`, `rediss://…`), or what ioredis takes. */
  readonly connection: string | RedisOptions;
  /** Whoever hands out jobs and whoever works on them name the same one. @default 'skillpack-evals' */
  readonly queue?: string | undefined;
  /** What the keys of the queue in Redis begin with. @default 'bull' */
  readonly prefix?: string | undefined;
  /** Milliseconds to wait for Redis at the beginning. @default 10_000 */
  readonly connectTimeout?: number | undefined;
}

export const defaultQueue = 'skillpack-evals';
