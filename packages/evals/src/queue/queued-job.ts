import { isDigest, type Digest } from '@skillpack/core';

/** What stands in the queue for a job: enough to find it in a plan, and nothing that a worker would do on the word of a queue. */
export interface QueuedJob {
  readonly key: Digest;
  /** Of the plan that it was taken from. */
  readonly plan?: string | undefined;
}

/** Of a job in a queue. BullMQ keeps `:` for itself. */
export function queueIdOf(key: Digest): string {
  return key.replace(':', '-');
}

/** The key that stands in the data of a job of a queue, whoever wrote it; `undefined` where there is none. */
export function queuedKey(data: unknown): Digest | undefined {
  if (typeof data !== 'object' || data === null || !('key' in data)) return undefined;
  const { key } = data;
  return typeof key === 'string' && isDigest(key) ? key : undefined;
}
