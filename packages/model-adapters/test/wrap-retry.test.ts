import { SkillsError, type ErrorCode, type ModelAdapter } from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { fallback, withRetry, type RetryEvent, type RetryOptions } from '@skillpack/model-adapters';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calling, codeOf, playing, requestFor, settle, type Play } from './wrap-ground.js';

const request = requestFor('system');

async function run(plays: readonly Play[], options: RetryOptions = {}, random = (): number => 1) {
  const clock = fakeClock();
  const began = clock.now();
  const model = playing(plays);
  const events: RetryEvent[] = [];
  const told: string[] = [];
  const retrying = withRetry(model, { clock, random }, { ...options, onRetry: (event) => events.push(event) });
  const outcome = await codeOf(retrying.decide(request, calling({ onText: (piece) => told.push(piece) })));
  const pauses = events.map(({ pause }) => pause);
  return { outcome, asked: model.asked, took: clock.now() - began, pauses, told: told.join('') };
}

test('PSA-29: what cannot be reached is asked again after pauses that double, a random part of each', async () => {
  const down: readonly Play[] = [{ fail: 'NETWORK_ERROR' }];
  expect(await run(down, { attempts: 5 })).toMatchObject({
    outcome: 'NETWORK_ERROR',
    asked: 5,
    pauses: [500, 1000, 2000, 4000],
    took: 7500,
  });
  expect((await run(down, { attempts: 4, firstPause: 100, longestPause: 150 })).pauses).toEqual([100, 150, 150]);
  expect((await run(down, {}, () => 0.25)).pauses).toEqual([125, 250, 500]);
  expect((await run(down, {}, () => 0)).pauses).toEqual([0, 0, 0]);
  expect(await run([{ fail: 'TIMEOUT' }, { fail: 'OVERLOADED' }, { text: 'yes' }])).toMatchObject({
    outcome: 'no error',
    asked: 3,
    told: 'yes',
  });
});

test('PSA-29: a provider that says when to come back is not asked before, nor waited for too long', async () => {
  const limited = (retryAfter: number): readonly Play[] => [{ fail: 'RATE_LIMITED', retryAfter }, { text: 'yes' }];
  expect((await run(limited(7000))).pauses).toEqual([7000]);
  expect((await run(limited(100))).pauses).toEqual([500]);
  expect((await run(limited(600_000))).pauses).toEqual([60_000]);
  expect((await run(limited(-5))).pauses).toEqual([500]);
  expect((await run(limited(Number.NaN))).pauses).toEqual([500]);
});

test('PSA-29: no attempt begins after the time for all of them', async () => {
  const waiting: readonly Play[] = [{ fail: 'RATE_LIMITED', retryAfter: 30_000 }];
  expect(await run(waiting, { attempts: 100, total: 100_000 })).toMatchObject({ asked: 4, took: 90_000 });
  expect(await run(waiting, { total: 29_999 })).toMatchObject({ asked: 1, took: 0, outcome: 'RATE_LIMITED' });
});

test('PSA-29: nothing else is asked again', async () => {
  for (const fail of [
    'UNAUTHORIZED',
    'MODEL_NOT_FOUND',
    'MODEL_REFUSED',
    'CONTEXT_TOO_LONG',
    'INTERRUPTED',
    'BUDGET_EXHAUSTED',
  ] satisfies ErrorCode[])
    expect(await run([{ fail }])).toMatchObject({ outcome: fail, asked: 1 });
  expect((await run([{ finish: 'refused' }])).asked).toBe(1);
});

test('PSA-29: after pieces were told nothing is asked again, unless they were held back', async () => {
  const torn: readonly Play[] = [{ fail: 'NETWORK_ERROR', pieces: ['ha', 'lf'] }, { pieces: ['who', 'le'] }];
  expect(await run(torn)).toMatchObject({ outcome: 'NETWORK_ERROR', asked: 1, told: 'half' });
  expect(await run(torn, { buffer: true })).toMatchObject({ outcome: 'no error', asked: 2, told: 'whole' });
});

test('PSA-29: a cancel ends a pause', async () => {
  const clock = fakeClock();
  const ports = { clock: { now: clock.now, startTimer: clock.startTimer } };
  const controller = new AbortController();
  const model = playing([{ fail: 'OVERLOADED' }]);
  const call = codeOf(withRetry(model, ports).decide(request, { signal: controller.signal }));
  await settle();
  expect(clock.timers).toBe(1);
  controller.abort();
  expect(await call).toBe('INTERRUPTED');
  expect([model.asked, clock.timers]).toEqual([1, 0]);
});

test('PSA-29: what still comes of an attempt that is over is told nobody', async () => {
  const late: (() => void)[] = [];
  const first: ModelAdapter = {
    ...playing([]),
    async decide(_request, { onText }) {
      late.push(() => onText?.('late'));
      throw new SkillsError('OVERLOADED', 'It is full.');
    },
  };
  const second = playing([{ pieces: ['who', 'le'] }]);
  const both: ModelAdapter = {
    ...second,
    decide: async (...asked) => (late.length === 0 ? first : second).decide(...asked),
  };
  for (const model of [fallback([first, second]), withRetry(both, { clock: fakeClock() })]) {
    late.splice(0);
    const told: string[] = [];
    await model.decide(request, calling({ onText: (piece) => told.push(piece) }));
    expect(late).toHaveLength(1);
    for (const tell of late) tell();
    expect(told).toEqual(['who', 'le']);
  }
});

test('PSA-29: whatever happens, a model is asked no more often, and no longer, than allowed', async () => {
  const play = fc.record({
    fail: fc.constant('OVERLOADED' as const),
    retryAfter: fc.integer({ min: 0, max: 200_000 }),
  });
  const limits = fc.record({
    attempts: fc.integer({ min: 1, max: 9 }),
    total: fc.nat(300_000),
    longestPause: fc.nat(90_000),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(play, { minLength: 1 }),
      limits,
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      async (plays, options, random) => {
        const { asked, took, pauses } = await run(plays, options, () => random);
        expect(asked).toBeLessThanOrEqual(options.attempts);
        expect(took).toBeLessThanOrEqual(options.total);
        for (const pause of pauses) expect(pause).toBeLessThanOrEqual(options.longestPause);
      },
    ),
  );
});

test('PSA-29: numbers that cannot be are refused', () => {
  for (const options of [
    { attempts: 0 },
    { attempts: Number.NaN },
    { firstPause: -1 },
    { longestPause: -1 },
    { total: -1 },
  ])
    expect(() => withRetry(playing([]), { clock: fakeClock() }, options)).toThrow('expected a number of at least');
});
