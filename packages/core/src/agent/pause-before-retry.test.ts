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
