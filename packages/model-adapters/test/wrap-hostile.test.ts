import { setTimeout } from 'node:timers/promises';
import { type Clock, type ErrorCode, type ModelUsage, SkillsError } from '@skillpack/core';
import { fallback, type ModelPrices, withBudget, withRateLimit, withRetry } from '@skillpack/model-adapters';
import { expect, test } from 'vitest';
import { calling, codeOf, playing, requestFor, settle } from './wrap-ground.js';

/** As anybody writes it with `node:timers/promises`, whose `setTimeout` throws where the signal aborts. */
const nodeClock: Clock = {
  now: () => 0,
  pause: async (milliseconds, { signal }) => setTimeout(milliseconds, undefined, { signal }),
};

test('PSA-29: a clock whose pause throws when it is cancelled ends a wait, and nothing else', async () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', listen);
  const limited = withRateLimit(playing([{}]), { clock: nodeClock }, { requestsPerMinute: 1 });
  const patient = withRetry(playing([{ fail: 'NETWORK_ERROR' }]), { clock: nodeClock, random: () => 0.9 });
  await limited.decide(requestFor('a'), calling());
  for (const model of [limited, limited, patient]) {
    const giveUp = new AbortController();
    const code = codeOf(model.decide(requestFor('b'), calling({ signal: giveUp.signal })));
    await settle();
    giveUp.abort();
    expect(await code).toBe('INTERRUPTED');
    await new Promise(setImmediate);
  }
  process.off('unhandledRejection', listen);
  expect(unhandled).toEqual([]);
});

test.for<ModelPrices>([
  { input: Number.NaN, output: 1 },
  { input: -1, output: 1 },
  { input: 1, output: Number.POSITIVE_INFINITY },
  { input: 1, output: 1, cachedInput: -1 },
  { input: 1, output: 1, cacheWrite: Number.NaN },
  { input: 1, output: 1, long: { over: 10, input: -2, output: 1 } },
  { input: 1, output: 1, long: { over: Number.NaN, input: 2, output: 1 } },
  // Cast: a price that a table in JavaScript leaves out.
  {} as ModelPrices,
])('PSA-29: prices that are none to count with, %o, are refused, as their budget would never be spent', (prices) => {
  expect(() => withBudget(playing([{}]), { cost: 1, prices })).toThrow(
    'The prices of mine:one are none to count with.',
  );
});

test('PSA-29: a call whose parts are no numbers to count with costs what was estimated, and the budget is spent', async () => {
  for (const odd of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
    for (const part of ['cachedInputTokens', 'cacheWriteTokens'] as const) {
      const usage: ModelUsage = { inputTokens: 100, outputTokens: 10, [part]: odd };
      const limited = withBudget(playing([{ text: 'x', usage }]), {
        cost: 0.0004,
        prices: { input: 1, output: 1 },
        answerTokens: 0,
        countTokens: () => 100,
      });
      const codes = [];
      for (let call = 0; call < 5; call += 1) codes.push(await codeOf(limited.decide(requestFor('a'), calling())));
      expect(limited.spent.cost).toBeCloseTo(0.0004, 9);
      expect(codes.slice(0, 3)).toEqual(['no error', 'no error', 'BUDGET_EXHAUSTED']);
    }
  }
});

test('PSA-29: an error with a code of another version is the failure of the call; a wait that is no number is none', async () => {
  // Cast: another version of the package has codes that this one does not know.
  const foreign = 'FOREIGN_CODE' as ErrorCode;
  const second = playing([{ text: 'x' }]);
  const model = fallback([playing([{ fail: foreign }]), second]);
  expect(await codeOf(model.decide(requestFor('a'), calling()))).toBe('FOREIGN_CODE');
  expect(second.asked).toBe(0);
  const waiting = [Number.NaN, -1, 5000, 9000].map((retryAfter) => playing([{ fail: 'RATE_LIMITED', retryAfter }]));
  const error: unknown = await fallback(waiting)
    .decide(requestFor('a'), calling())
    .catch((thrown: unknown) => thrown);
  expect(SkillsError.is(error, 'RATE_LIMITED') && error.data['retryAfter']).toBe(5000);
});
