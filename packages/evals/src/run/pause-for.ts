import type { Clock } from '@skillpack/core';

/** Waits so long by the clock, or until the signal aborts; not at all where the clock has no timers. */
export async function pauseFor(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || milliseconds <= 0) return;
  if (clock.pause !== undefined) {
    try {
      return await clock.pause(milliseconds, { signal });
    } catch (error) {
      // `setTimeout` of Node throws where the signal aborts.
      if (!signal.aborted) throw error;
      return;
    }
  }
  const timer = clock.startTimer?.(milliseconds);
  if (timer === undefined) return;
  await new Promise<void>((resolve) => {
    for (const end of [timer.signal, signal]) end.addEventListener('abort', () => resolve(), { once: true });
  });
  timer.clear();
}
