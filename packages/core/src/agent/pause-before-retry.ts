import { SkillsError } from '../errors/skills-error.js';
import type { Clock } from './clock.js';

/** Milliseconds before the second attempt; the next pause is twice as long as the one before. */
const firstPause = 500;

/** Milliseconds that a pause grows to; whoever could not be reached may ask for a longer one. */
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
  const milliseconds = Math.max(Math.min(firstPause * 2 ** (failed - 1), longestPause), retryAfter);
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

/** What an error says of when to ask again, in whole milliseconds: a number in its `data.retryAfter`. */
export function retryAfterOf(error: unknown): number | undefined {
  if (!SkillsError.is(error)) return undefined;
  const { retryAfter } = error.data;
  if (typeof retryAfter !== 'number' || !(retryAfter > 0)) return undefined;
  // Errors come from anywhere: what is longer than a record can hold is as long as one can.
  return Math.min(Math.ceil(retryAfter), Number.MAX_SAFE_INTEGER);
}
