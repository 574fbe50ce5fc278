import { SkillsError } from '../errors/skills-error.js';
import type { Clock } from './clock.js';

/** Milliseconds before the second attempt; the next pause is twice as long as the one before. */
const firstPause = 500;

/** Milliseconds that a pause takes at most, also where who could not be reached wants a longer one. */
const longestPause = 60_000;

/** Before what. */
export interface Retry {
  /** How many attempts in a row have failed, from 1. */
  readonly failed: number;
  /** Milliseconds that whoever could not be reached asked for. @default none */
  readonly retryAfter?: number | undefined;
  /** Ends the pause. */
  readonly signal: AbortSignal;
}

/** Waits before somebody who could not be reached is asked again, longer from time to time. */
export async function pauseBeforeRetry(clock: Clock, { failed, retryAfter = 0, signal }: Retry): Promise<void> {
  const milliseconds = Math.min(Math.max(firstPause * 2 ** (failed - 1), retryAfter), longestPause);
  if (signal.aborted) return;
  if (clock.pause === undefined) return pauseByTimer(clock, milliseconds, signal);
  try {
    await clock.pause(milliseconds, { signal });
  } catch (error) {
    // `setTimeout` of Node throws where the signal aborts: whoever waits goes on all the same.
    if (!signal.aborted) throw error;
  }
}

async function pauseByTimer(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  const timer = clock.startTimer?.(milliseconds);
  if (timer === undefined) return;
  await new Promise<void>((resolve) => {
    for (const end of [timer.signal, signal]) end.addEventListener('abort', () => resolve(), { once: true });
  });
  timer.clear();
}

/** What an error says of when to ask again, in milliseconds: a number in its `data.retryAfter`. */
export function retryAfterOf(error: unknown): number | undefined {
  if (!SkillsError.is(error)) return undefined;
  const { retryAfter } = error.data;
  return typeof retryAfter === 'number' && retryAfter > 0 ? retryAfter : undefined;
}
