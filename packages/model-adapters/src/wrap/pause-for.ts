import type { Clock } from '@skillpack/core';

/** Longer than any timer may be. */
const longest = 2_147_483_647;

/** Waits, as far as the clock can, and no longer than until the signal aborts. Never throws. */
export async function pauseFor(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  const time = Math.min(longest, Math.ceil(milliseconds));
  if (signal.aborted || time <= 0) return;
  if (clock.pause !== undefined) return clock.pause(time, { signal });
  const timer = clock.startTimer?.(time);
  if (timer === undefined) return;
  await new Promise<void>((resolve) => {
    for (const end of [timer.signal, signal]) end.addEventListener('abort', () => resolve(), { once: true });
  });
  timer.clear();
}
