import { expect, test } from 'vitest';
import { systemClock } from './system-clock.js';

test('a timer aborts its signal when its time is over, and one that was cleared never does', async () => {
  const [cleared, kept] = [systemClock.startTimer(1), systemClock.startTimer(5)];
  cleared.clear();
  const before = systemClock.now();
  expect(kept.signal.aborted).toBe(false);
  await new Promise((resolve) => kept.signal.addEventListener('abort', resolve));
  expect(systemClock.now() - before).toBeGreaterThanOrEqual(3);
  expect(cleared.signal.aborted).toBe(false);
});
