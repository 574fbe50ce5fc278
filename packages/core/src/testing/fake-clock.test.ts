import { expect, test } from 'vitest';
import { fakeClock } from './fake-clock.js';

test('a fake clock stands still until it is moved', () => {
  const clock = fakeClock();
  expect([clock.now(), new Date(clock.now()).toISOString()]).toEqual([clock.now(), '2026-01-01T00:00:00.000Z']);
  clock.advance(1500);
  expect(clock.now() - fakeClock().now()).toBe(1500);
  expect(fakeClock(7).now()).toBe(7);
});
