import type { Clock } from '@skillpack/core';
import { systemClock } from '@skillpack/runs-fs';

/** Milliseconds of a pause that nobody has to be told of. */
const unnoticed = 1_000;

/** The clock of this machine, which tells how long it waits before a model is asked again. */
export function waitingClock(now: () => number, onPause: (milliseconds: number) => void): Required<Clock> {
  return {
    ...systemClock,
    now,
    pause: async (milliseconds, { signal }) => {
      if (milliseconds >= unnoticed) onPause(milliseconds);
      const timer = systemClock.startTimer(milliseconds);
      await new Promise<void>((resolve) => {
        const end = (): void => {
          signal.removeEventListener('abort', end);
          timer.clear();
          resolve();
        };
        timer.signal.addEventListener('abort', end, { once: true });
        signal.addEventListener('abort', end, { once: true });
        if (signal.aborted) end();
      });
    },
  };
}
