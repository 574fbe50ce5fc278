import { SkillsError, type ErrorCode } from '@skillpack/core';
import { withBudget } from '@skillpack/model-adapters';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calling, codeOf, holding, playing, requestFor, settle } from './wrap-ground.js';

const request = requestFor('system');
const prices = { input: 1000, output: 10_000 };
const countTokens = (): number => 100;

test('PSA-29: a budget of calls is spent to its end, and then no model is asked', async () => {
  const model = playing([{ text: 'yes' }]);
  const limited = withBudget(model, { calls: 2 });
  for (let call = 0; call < 2; call += 1) await limited.decide(request, calling());
  const error: unknown = await limited.decide(request, calling()).catch((reason: unknown) => reason);
  expect(SkillsError.is(error, 'BUDGET_EXHAUSTED')).toBe(true);
  expect(error).toMatchObject({
    message:
      'The budget of 2 calls for mine:one is spent: 2 were taken, 0 are set aside for calls under way, and this one may take 1.',
    data: { kind: 'calls', limit: 2, spent: 2 },
  });
  expect(model.asked).toBe(2);
  expect(limited.spent).toEqual({ calls: 2, tokens: 220, cost: undefined });
});

test('PSA-29: tokens and dollars are set aside before a call, and a call that may take more than there is, is not made', async () => {
  const model = playing([{ text: 'yes' }]);
  // Each sets 150 aside and takes 110.
  const tokens = withBudget(model, { tokens: 400, answerTokens: 50, countTokens });
  for (let call = 0; call < 3; call += 1) await tokens.decide(request, calling());
  expect(tokens.spent.tokens).toBe(330);
  expect(await codeOf(tokens.decide(request, calling()))).toBe('BUDGET_EXHAUSTED');
  // Each sets 0.60 aside and takes 0.20.
  const cost = withBudget(model, { cost: 1.01, prices, answerTokens: 50, countTokens });
  for (let call = 0; call < 3; call += 1) await cost.decide(request, calling());
  expect(cost.spent.cost).toBeCloseTo(0.6, 10);
  expect(await codeOf(cost.decide(request, calling()))).toBe('BUDGET_EXHAUSTED');
  expect(model.asked).toBe(6);
});

test('PSA-29: calls under way count with what is set aside for them', async () => {
  const model = holding();
  const limited = withBudget(model, { tokens: 450, answerTokens: 50, countTokens });
  const calls = ['a', 'b', 'c', 'd'].map((name) => codeOf(limited.decide(requestFor(name), calling())));
  await settle();
  expect(model.held.map(({ at }) => at)).toEqual(['a', 'b', 'c']);
  expect(await calls[3]).toBe('BUDGET_EXHAUSTED');
  expect(limited.spent).toEqual({ calls: 0, tokens: 0, cost: 0 });
  for (const { end } of model.held) end();
  expect(await Promise.all(calls)).toEqual(['no error', 'no error', 'no error', 'BUDGET_EXHAUSTED']);
  expect(limited.spent.tokens).toBe(330);
});

test('PSA-29: what the adapter says a call cost counts before the table; a server that counts nothing is counted by an estimate', async () => {
  const told = withBudget(playing([{ usage: { inputTokens: 10, outputTokens: 1, cost: 0.75 } }]), { cost: 20, prices });
  await told.decide(request, calling());
  expect(told.spent.cost).toBe(0.75);
  const silent = withBudget(playing([{ usage: { inputTokens: 0, outputTokens: 0 } }]), { tokens: 9999, countTokens });
  await silent.decide(request, calling());
  expect(silent.spent.tokens).toBe(200);
});

test('PSA-29: what is no number to count with empties no budget and fills none: the estimate counts', async () => {
  for (const odd of [Number.NaN, -500, Number.POSITIVE_INFINITY]) {
    for (const usage of [
      { inputTokens: odd, outputTokens: 1, cost: odd },
      { inputTokens: 1, outputTokens: odd, cost: odd },
    ]) {
      const limited = withBudget(playing([{ usage }]), {
        tokens: 250,
        cost: 100,
        prices,
        answerTokens: 0,
        countTokens,
      });
      await limited.decide(request, calling());
      expect(limited.spent).toEqual({ calls: 1, tokens: 200, cost: 1.1 });
      expect(await codeOf(limited.decide(request, calling()))).toBe('BUDGET_EXHAUSTED');
    }
    const miscounting = withBudget(playing([{ usage: { inputTokens: 0, outputTokens: 0 } }]), {
      tokens: 1500,
      countTokens: () => odd,
    });
    await miscounting.decide(request, calling());
    expect(miscounting.spent.tokens).toBeGreaterThanOrEqual(0);
    expect(miscounting.spent.tokens).toBeLessThan(100);
  }
});

test('PSA-29: a call that broke off takes what was set aside for it; one that was refused takes nothing but a call', async () => {
  const spentAfter = async (fail: ErrorCode): Promise<number> => {
    const limited = withBudget(playing([{ fail }]), { tokens: 9999, answerTokens: 50, countTokens });
    expect(await codeOf(limited.decide(request, calling()))).toBe(fail);
    expect(limited.spent.calls).toBe(1);
    return limited.spent.tokens;
  };
  for (const code of ['TIMEOUT', 'INTERRUPTED', 'NETWORK_ERROR', 'MODEL_ERROR'] as const)
    expect(await spentAfter(code)).toBe(150);
  for (const code of ['RATE_LIMITED', 'OVERLOADED', 'UNAUTHORIZED', 'MODEL_NOT_FOUND'] as const)
    expect(await spentAfter(code)).toBe(0);
});

test('PSA-29: a model without a price has no budget in dollars; a known one has the price of the table', async () => {
  expect(() => withBudget(playing([]), { cost: 1 })).toThrow('Nobody knows what mine:one costs');
  const known = withBudget(playing([{}], { name: 'openai:gpt-4.1' }), { cost: 1 });
  await known.decide(request, calling());
  expect(known.spent.cost).toBeCloseTo((100 * 2 + 10 * 8) / 1e6, 12);
  expect(() => withBudget(playing([]), {})).toThrow('There is no limit');
  for (const options of [{ calls: -1 }, { tokens: Number.NaN }, { cost: -0.5 }])
    expect(() => withBudget(playing([]), { prices, ...options })).toThrow('expected a number of at least 0');
});

test('PSA-29: a call that was cancelled before it was made takes nothing', async () => {
  const limited = withBudget(playing([{}]), { calls: 5 });
  expect(await codeOf(limited.decide(request, { signal: AbortSignal.abort() }))).toBe('INTERRUPTED');
  expect(limited.spent.calls).toBe(0);
});

test('PSA-29: however many ask at the same time, no more calls are made than the budget has, and all of it can be spent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(20), fc.array(fc.boolean(), { maxLength: 60 }), async (calls, steps) => {
      const model = holding();
      const limited = withBudget(model, { calls });
      const made: Promise<string>[] = [];
      for (const ask of steps) {
        if (ask) made.push(codeOf(limited.decide(request, calling())));
        else model.held[limited.spent.calls]?.end();
        await settle();
        expect(model.held.length).toBeLessThanOrEqual(calls);
      }
      for (const { end } of model.held) end();
      const outcomes = await Promise.all(made);
      expect(outcomes.filter((outcome) => outcome === 'no error')).toHaveLength(Math.min(calls, made.length));
      expect(limited.spent.calls).toBe(Math.min(calls, made.length));
    }),
  );
});
