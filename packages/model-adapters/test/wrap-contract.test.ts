import type { ModelAdapter } from '@skillpack/core';
import { fakeClock, modelAdapterContract } from '@skillpack/core/testing';
import { fallback, withBudget, withRateLimit, withRetry } from '@skillpack/model-adapters';
import { describe, expect, test } from 'vitest';
import { echoing, tells } from './echoing.js';
import { calling, codeOf, playing, requestFor } from './wrap-ground.js';

const clock = fakeClock();
const prices = { input: 1, output: 2 };

const wrappers: Readonly<Record<string, (model: ModelAdapter) => ModelAdapter>> = {
  fallback: (model) => fallback([model]),
  'fallback after one that fails': (model) => fallback([playing([{ fail: 'OVERLOADED' }]), model]),
  'fallback with a buffer': (model) =>
    fallback([playing([{ fail: 'NETWORK_ERROR', pieces: ['half of '] }]), model], { buffer: true }),
  withRetry: (model) => withRetry(model, { clock }),
  'withRetry with a buffer': (model) => withRetry(model, { clock }, { buffer: true }),
  withRateLimit: (model) =>
    withRateLimit(model, { clock }, { requestsPerMinute: 3, tokensPerMinute: 10_000, concurrency: 2 }),
  withBudget: (model) => withBudget(model, { calls: 1000, tokens: 10_000_000, cost: 1000, prices }),
  'all of them': (model) =>
    withBudget(
      fallback([
        withRetry(playing([{ fail: 'RATE_LIMITED' }]), { clock }),
        withRetry(withRateLimit(model, { clock }, { concurrency: 4 }), { clock }),
      ]),
      { cost: 1000, prices },
    ),
};

for (const [title, wrap] of Object.entries(wrappers)) {
  modelAdapterContract(
    async (reply, beside) => ({ model: wrap(echoing(reply, beside)), close: async () => undefined }),
    { describe, test, expect },
    { title, tells },
  );
}

test('PSA-29: wrappers in wrappers: a model that is overloaded is asked again, then another one, within one budget', async () => {
  const busy = playing([{ fail: 'OVERLOADED' }], { name: 'mine:busy', contextTokens: 500 });
  const spare = playing([{ fail: 'RATE_LIMITED', retryAfter: 2000 }, { text: 'yes' }], { name: 'mine:spare' });
  const time = fakeClock();
  const began = time.now();
  const limited = { requestsPerMinute: 2 };
  const model = withBudget(
    fallback(
      [busy, spare].map((one) =>
        withRetry(withRateLimit(one, { clock: time }, limited), { clock: time, random: () => 0.5 }, { attempts: 3 }),
      ),
    ),
    { calls: 2, cost: 1, prices },
  );
  expect(model).toMatchObject({ name: 'fallback:mine:busy,mine:spare', contextTokens: 500 });
  expect((await model.decide(requestFor('a'), calling())).text).toBe('yes');
  // Two calls begin in a minute, so the third attempt at the busy one waits for the next; then two pauses.
  expect([busy.asked, spare.asked, time.now() - began]).toEqual([3, 2, 62_000]);
  expect(model.spent).toEqual({ calls: 1, tokens: 110, cost: 0.00012 });
  expect((await model.decide(requestFor('a'), calling())).text).toBe('yes');
  expect(await codeOf(model.decide(requestFor('a'), calling()))).toBe('BUDGET_EXHAUSTED');
  expect([busy.asked, spare.asked]).toEqual([6, 3]);
});
