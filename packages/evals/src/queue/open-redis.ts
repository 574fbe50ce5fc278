import { SkillsError, visibleText } from '@skillpack/core';
import { Redis } from 'ioredis';
import type { QueuePlace } from './queue-options.js';

/** A connection to Redis, and what went wrong with it last. */
export interface OpenRedis extends Disposable {
  readonly client: Redis;
  /** In words, without passwords: `127.0.0.1:6379`. */
  readonly address: string;
  lastError: string | undefined;
}

/**
 * Connects to Redis. Later losses of the connection are mended by ioredis.
 *
 * @throws `USAGE` for an address that is none, `NETWORK_ERROR` where nothing answers in time, or refuses.
 */
export async function openRedis({ connection, connectTimeout = 10_000 }: QueuePlace): Promise<OpenRedis> {
  // BullMQ blocks on its connections, and wants no limit of retries on them.
  const settings = { maxRetriesPerRequest: null, lazyConnect: true };
  const client =
    typeof connection === 'string' ? openUrl(connection, settings) : new Redis({ ...connection, ...settings });
  const { host = 'localhost', port = 6379, path } = client.options;
  const open: OpenRedis = {
    client,
    address: visibleText(path ?? `${host}:${port}`),
    lastError: undefined,
    [Symbol.dispose]: () => client.disconnect(),
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
  client.disconnect();
  throw new SkillsError('NETWORK_ERROR', `Redis at ${open.address} does not answer${because(open.lastError)}.`, {
    hint: 'Start it, or name another one in `connection`.',
    data: { address: open.address },
  });
}

function because(reason: string | undefined): string {
  return reason === undefined ? '' : `: ${reason}`;
}

function openUrl(url: string, settings: { readonly maxRetriesPerRequest: null; readonly lazyConnect: boolean }): Redis {
  if (!/^rediss?:\/\/\S+$/u.test(url)) {
    // The address is not repeated: it may hold a password.
    throw new SkillsError('USAGE', 'The connection of a queue is no URL of the kind redis:// or rediss://.', {
      hint: 'Write redis://127.0.0.1:6379.',
    });
  }
  return new Redis(url, settings);
}
