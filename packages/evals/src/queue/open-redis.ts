import { SkillsError, visibleText } from '@skillpack/core';
import { Redis, type RedisOptions } from 'ioredis';
import type { QueuePlace } from './queue-options.js';

/** A connection to Redis, and what went wrong with it last. */
export interface OpenRedis extends Disposable {
  readonly client: Redis;
  /** In words, without passwords: `127.0.0.1:6379`. */
  readonly address: string;
  lastError: string | undefined;
  /** No connection that is lost is mended any more, those that BullMQ made of this one included. */
  giveUp(): void;
}

const longestPause = 2000;

/**
 * Connects to Redis. Later losses of the connection are mended by ioredis.
 *
 * @throws `USAGE` for an address that is none, `NETWORK_ERROR` where nothing answers in time, or refuses.
 */
export async function openRedis({ connection, connectTimeout = 10_000 }: QueuePlace): Promise<OpenRedis> {
  // BullMQ blocks on its connections, and wants no limit of retries on them.
  let given = false;
  const own = (typeof connection === 'string' ? undefined : connection.retryStrategy) ?? undefined;
  const retryStrategy = (times: number): number | null => {
    if (given) return null;
    return own === undefined ? Math.min(times * 200, longestPause) : (own(times) ?? null);
  };
  const settings = { maxRetriesPerRequest: null, lazyConnect: true, retryStrategy };
  const client =
    typeof connection === 'string' ? openUrl(connection, settings) : new Redis({ ...connection, ...settings });
  const { host = 'localhost', port = 6379, path } = client.options;
  const open: OpenRedis = {
    client,
    address: visibleText(path ?? `${host}:${port}`),
    lastError: undefined,
    giveUp: () => {
      given = true;
    },
    [Symbol.dispose]: () => {
      given = true;
      client.disconnect();
    },
  };
  client.on('error', (error: Error) => {
    open.lastError = visibleText(error.message || error.name);
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), connectTimeout);
  });
  try {
    // The first attempt may be refused while the server starts; ioredis goes on by itself.
    const ready = client.connect().then(
      () => client.ping(),
      () => client.ping(),
    );
    if ((await Promise.race([ready, late])) !== 'late') return open;
  } catch (error) {
    open.lastError ??= error instanceof Error ? visibleText(error.message) : undefined;
  } finally {
    clearTimeout(timer);
  }
  open[Symbol.dispose]();
  throw new SkillsError('NETWORK_ERROR', `Redis at ${open.address} does not answer${because(open.lastError)}.`, {
    hint: 'Start it, or name another one in `connection`.',
    data: { address: open.address },
  });
}

/** What ends when there is no connection any more. */
export interface ConnectionWatch extends Disposable {
  /** Is rejected with `NETWORK_ERROR` once there was no connection for as long as `patience` says. */
  readonly lost: Promise<never>;
}

const lookEvery = 100;

/** Watches a connection: while there is none, ioredis tries again for ever, and what is asked waits as long. */
export function watchConnection(redis: OpenRedis, patience: () => number): ConnectionWatch {
  const { promise, reject } = Promise.withResolvers<never>();
  // Nobody may be waiting for it when it happens.
  promise.catch(() => undefined);
  let since: number | undefined;
  const timer = setInterval(() => {
    if (redis.client.status === 'ready') {
      since = undefined;
      return;
    }
    since ??= Date.now();
    if (Date.now() - since < patience()) return;
    const message = `The connection to Redis at ${redis.address} is lost${because(redis.lastError)}.`;
    reject(new SkillsError('NETWORK_ERROR', message, { hint: 'What has a result is kept. Run it again.' }));
  }, lookEvery);
  return { lost: promise, [Symbol.dispose]: () => clearInterval(timer) };
}

function because(reason: string | undefined): string {
  return reason === undefined ? '' : `: ${reason}`;
}

function openUrl(url: string, settings: RedisOptions): Redis {
  try {
    if (/^rediss?:\/\/\S+$/u.test(url)) return new Redis(url, settings);
  } catch {
    // What could not be read of it is in what was thrown.
  }
  // The address is not repeated: it may hold a password.
  throw new SkillsError('USAGE', 'The connection of a queue is no URL of the kind redis:// or rediss://.', {
    hint: 'Write redis://127.0.0.1:6379, and encode what is special in a password: %23 for #, %2F for /.',
  });
}
