import type { Clock } from '@skillpack/core';

/** Longer than any timer may be. */
const longest = 2_147_483_647;

/** Waits, as far as the clock can, and no longer than until the signal aborts. Throws only where the clock cannot wait. */
export async function pauseFor(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  const time = Math.min(longest, Math.ceil(milliseconds));
  if (signal.aborted || time <= 0) return;
  if (clock.pause !== undefined) {
    try {
      await clock.pause(time, { signal });
    } catch (error) {
      // `setTimeout` of Node throws where the signal aborts: then whoever waits goes on, too.
      if (!signal.aborted) throw error;
    }
    return;
  }
  const timer = clock.startTimer?.(time);
  if (timer === undefined) return;
  await new Promise<void>((resolve) => {
    for (const end of [timer.signal, signal]) end.addEventListener('abort', () => resolve(), { once: true });
  });
  timer.clear();
}
