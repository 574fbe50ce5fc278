import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pauseBeforeRetry } from './pause-before-retry.js';

test('a clock whose pause throws when it is cancelled ends the pause; any other error of it is told', async () => {
  const giveUp = new AbortController();
  const nodeClock = {
    now: () => 0,
    pause: async (milliseconds: number, { signal }: { readonly signal: AbortSignal }) =>
      setTimeout(milliseconds, undefined, { signal }),
  };
  const paused = pauseBeforeRetry(nodeClock, { failed: 9, signal: giveUp.signal });
  giveUp.abort();
  await expect(paused).resolves.toBeUndefined();
  const broken = { now: () => 0, pause: async () => Promise.reject(new Error('It stands still.')) };
  const idle = new AbortController().signal;
  await expect(pauseBeforeRetry(broken, { failed: 1, signal: idle })).rejects.toThrow('It stands still.');
});

test('a pause is never longer than a timer can be, as that would be over at once', async () => {
  const paused: number[] = [];
  const pause = async (milliseconds: number): Promise<void> => void paused.push(milliseconds);
  const signal = new AbortController().signal;
  for (const retryAfter of [Number.MAX_SAFE_INTEGER, 86_400_000, undefined]) {
    await pauseBeforeRetry({ now: () => 0, pause }, { failed: 1, retryAfter, signal });
  }
  expect(paused).toEqual([2_147_483_647, 86_400_000, 500]);
});
