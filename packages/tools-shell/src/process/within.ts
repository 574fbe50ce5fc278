import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for some work, but no longer than so many milliseconds. @throws what the work throws until then. */
export async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  const stop = new AbortController();
  await Promise.race([work, sleep(milliseconds, undefined, { signal: stop.signal }).catch(() => undefined)]);
  stop.abort();
}
