import type { Clock } from '../agent/clock.js';

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Moves it on by so many milliseconds. */
  advance(milliseconds: number): void;
}

const start2026 = 1_767_225_600_000;

/**
 * A clock for tests.
 *
 * @param start milliseconds since 1970; 2026-01-01T00:00:00Z where none are given.
 */
export function fakeClock(start: number = start2026): FakeClock {
  let now = start;
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}
