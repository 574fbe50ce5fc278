import type { Clock } from '@skillpack/core';

/** The clock of this machine, and its timers. A timer that is not cleared keeps the process from ending before its time. */
export const systemClock: Required<Omit<Clock, 'pause'>> = {
  now: () => Date.now(),
  startTimer: (milliseconds) => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), milliseconds);
    return { signal: controller.signal, clear: () => clearTimeout(timer) };
  },
};
