import type { Clock } from '@skillpack/core';

/** The time and the timers of the platform, whichever that is. */
export const platformClock: Required<Omit<Clock, 'pause'>> = {
  now: () => Date.now(),
  startTimer: (milliseconds) => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), milliseconds);
    return { signal: controller.signal, clear: () => clearTimeout(timer) };
  },
};
