import { SkillsError } from '@skillpack/core';
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

/** @throws `USAGE` for a place that none can be at. The connection is not repeated: it may hold a password. */
export function checkPlace({ connection, queue, prefix, connectTimeout }: QueuePlace): void {
  if (typeof connection !== 'string' && (typeof connection !== 'object' || (connection as unknown) === null)) {
    throw new SkillsError('USAGE', 'The connection of a queue is neither a URL nor what ioredis takes.', {
      hint: 'Write redis://127.0.0.1:6379.',
    });
  }
  checkName('The name of a queue', queue);
  checkName('The prefix of a queue', prefix);
  checkMilliseconds('connectTimeout', connectTimeout);
}

// What `setTimeout` takes: it makes 1 of what is longer.
const longest = 2 ** 31 - 1;

/** @throws `USAGE` for a number of milliseconds that nothing can be waited for. */
export function checkMilliseconds(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1 && value <= longest)) return;
  throw new SkillsError(
    'USAGE',
    `The option ${name} is ${String(value)}; it has to be a whole number of milliseconds from 1 to ${longest}.`,
  );
}

/** BullMQ keeps `:` for itself. */
function checkName(what: string, name: string | undefined): void {
  if (name === undefined || (typeof name === 'string' && /^[^\s:]{1,200}$/u.test(name))) return;
  throw new SkillsError('USAGE', `${what} is a text without colons and spaces, of 1 to 200 characters.`);
}
