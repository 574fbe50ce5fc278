import type { Clock, Timer } from '../agent/clock.js';

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Moves it on by so many milliseconds; timers whose time that is abort, the earliest first. */
  advance(milliseconds: number): void;
  startTimer(milliseconds: number): Timer;
  /** Moves it on, too: nobody waits. */
  pause(milliseconds: number): Promise<void>;
  /** How many timers are set. */
  readonly timers: number;
}

const start2026 = 1_767_225_600_000;

/**
 * A clock for tests.
 *
 * @param start milliseconds since 1970; 2026-01-01T00:00:00Z where none are given.
 */
export function fakeClock(start: number = start2026): FakeClock {
  let now = start;
  const timers = new Map<AbortController, number>();
  const advance = (milliseconds: number): void => {
    now += milliseconds;
    for (const [controller] of [...timers].filter(([, at]) => at <= now).toSorted(([, a], [, b]) => a - b)) {
      // One that aborted before may have cleared it.
      if (timers.delete(controller)) controller.abort();
    }
  };
  return {
    now: () => now,
    advance,
    pause: async (milliseconds) => advance(milliseconds),
    startTimer: (milliseconds) => {
      const controller = new AbortController();
      timers.set(controller, now + milliseconds);
      return { signal: controller.signal, clear: () => void timers.delete(controller) };
    },
    get timers() {
      return timers.size;
    },
  };
}
