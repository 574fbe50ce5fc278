import { type Clock } from '@skillpack/core';
import { fakeClock, type FakeClock } from '@skillpack/core/testing';
import { withRateLimit, type RateLimitOptions } from '@skillpack/model-adapters';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calling, codeOf, holding, playing, requestFor, settle } from './wrap-ground.js';

/** A clock on which somebody waits until it is moved. */
function waitingClock(): { readonly clock: Clock; readonly fake: FakeClock } {
  const fake = fakeClock();
  return { fake, clock: { now: fake.now, startTimer: fake.startTimer } };
}

async function begin(options: RateLimitOptions, names: readonly string[]) {
  const { clock, fake } = waitingClock();
  const model = holding();
  const limited = withRateLimit(model, { clock }, options);
  const controllers = names.map(() => new AbortController());
  const calls = names.map((name, index) =>
    codeOf(limited.decide(requestFor(name), { signal: controllers[index]?.signal ?? AbortSignal.abort() })),
  );
  await settle();
  const begun = (): string => model.held.map(({ at }) => at).join('');
  return { model, fake, begun, controllers, calls };
}

test('PSA-29: as many calls begin in a minute as may, the others in their order as soon as they may', async () => {
  const { fake, begun } = await begin({ requestsPerMinute: 2 }, ['a', 'b', 'c', 'd', 'e']);
  expect(begun()).toBe('ab');
  fake.advance(59_999);
  await settle();
  expect(begun()).toBe('ab');
  fake.advance(1);
  await settle();
  expect(begun()).toBe('abcd');
  fake.advance(60_000);
  await settle();
  expect(begun()).toBe('abcde');
});

test('PSA-29: as many calls are there at the same time as may be; the next begins when one ends, also when it fails', async () => {
  const { model, begun, controllers } = await begin({ concurrency: 2 }, ['a', 'b', 'c', 'd']);
  expect(begun()).toBe('ab');
  model.held[1]?.end();
  await settle();
  expect(begun()).toBe('abc');
  controllers[0]?.abort();
  await settle();
  expect(begun()).toBe('abcd');
});

test('PSA-29: tokens count by an estimate first, and by what the answer says then', async () => {
  const options = { tokensPerMinute: 1000, countTokens: () => 400 };
  const { model, fake, begun } = await begin(options, ['a', 'b', 'c', 'd']);
  expect(begun()).toBe('ab');
  // It took 110 only: now one more fits.
  model.held[0]?.end();
  await settle();
  expect(begun()).toBe('abc');
  model.held[1]?.end({ usage: { inputTokens: 5000, outputTokens: 1 } });
  fake.advance(59_999);
  await settle();
  expect(begun()).toBe('abc');
  fake.advance(1);
  await settle();
  expect(begun()).toBe('abcd');
});

test('PSA-29: a call with more tokens than a minute may have begins alone', async () => {
  const { fake, begun } = await begin(
    { tokensPerMinute: 100, countTokens: (text) => (text.startsWith('big') ? 5000 : 1) },
    ['a', 'big', 'c'],
  );
  expect(begun()).toBe('a');
  fake.advance(60_000);
  await settle();
  expect(begun()).toBe('abig');
  fake.advance(60_000);
  await settle();
  expect(begun()).toBe('abigc');
});

test('PSA-29: a call that is cancelled leaves the queue at once, and whoever is next may begin sooner', async () => {
  const options = { tokensPerMinute: 100, countTokens: (text: string) => (text.startsWith('b') ? 90 : 20) };
  const { begun, controllers, calls, fake } = await begin(options, ['a', 'b', 'c', 'd']);
  expect(begun()).toBe('a');
  controllers[3]?.abort();
  expect(await calls[3]).toBe('INTERRUPTED');
  expect(begun()).toBe('a');
  controllers[1]?.abort();
  expect(await calls[1]).toBe('INTERRUPTED');
  await settle();
  expect(begun()).toBe('ac');
  expect(fake.timers).toBe(0);
});

test('PSA-29: whatever is asked when, no minute has more calls or tokens, nor any moment more calls, than allowed', async () => {
  const call = fc.record({ after: fc.nat(40_000), tokens: fc.integer({ min: 1, max: 60 }), lasts: fc.nat(20_000) });
  const limits = fc.record({
    requestsPerMinute: fc.integer({ min: 1, max: 5 }),
    tokensPerMinute: fc.integer({ min: 60, max: 200 }),
    concurrency: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 25 }), limits, async (calls, options) => {
      const { clock, fake } = waitingClock();
      const starts: { readonly at: number; readonly tokens: number; readonly index: number }[] = [];
      let inside = 0;
      const model = withRateLimit(
        {
          ...playing([]),
          async decide({ system }) {
            const index = Number(system);
            const { tokens = 0, lasts = 0 } = calls[index] ?? {};
            inside += 1;
            expect(inside).toBeLessThanOrEqual(options.concurrency);
            starts.push({ at: fake.now(), tokens, index });
            const timer = fake.startTimer(lasts);
            await new Promise((resolve) => timer.signal.addEventListener('abort', resolve, { once: true }));
            inside -= 1;
            return { text: '', finish: 'stop', usage: { inputTokens: tokens, outputTokens: 0 } };
          },
        },
        { clock },
        { ...options, countTokens: (text) => calls[Number(text.split('\n')[0])]?.tokens ?? 0 },
      );
      const all: Promise<unknown>[] = [];
      for (const [index, { after }] of calls.entries()) {
        fake.advance(after);
        await settle();
        all.push(model.decide(requestFor(String(index)), calling()));
        await settle();
      }
      for (let round = 0; round < 400 && starts.length < calls.length; round += 1) {
        fake.advance(5000);
        await settle();
      }
      expect(starts.map(({ index }) => index)).toEqual(calls.map((_, index) => index));
      for (const { at } of starts) {
        const minute = starts.filter((start) => start.at >= at && start.at < at + 60_000);
        expect(minute.length).toBeLessThanOrEqual(options.requestsPerMinute);
        expect(minute.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(options.tokensPerMinute);
      }
      fake.advance(60_000);
      await Promise.all(all);
    }),
    { numRuns: 60 },
  );
});

test('PSA-29: no limit, numbers that cannot be, and a clock that cannot wait are refused', () => {
  const clock = fakeClock();
  expect(() => withRateLimit(playing([]), { clock }, {})).toThrow('There is no limit');
  expect(() => withRateLimit(playing([]), { clock }, { concurrency: 0 })).toThrow('concurrency is 0');
  expect(() => withRateLimit(playing([]), { clock: { now: () => 0 } }, { concurrency: 1 })).toThrow(
    'no call could wait',
  );
});
