import type { ModelAdapter } from '@skillpack/core';
import {
  aiSdk,
  anthropic,
  fallback,
  memoryCassette,
  openaiCompatible,
  recorded,
  withBudget,
  withRateLimit,
  withRetry,
} from '@skillpack/model-adapters';
import { fakeClock } from '@skillpack/core/testing';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { calling, playing, requestFor } from './wrap-ground.js';

// As JavaScript may hand them in, which has no types.
const loose = (options: object): never => options as never;
const model = playing([{ text: 'yes' }]);
const ports = { clock: fakeClock() };
const local = { baseURL: 'http://127.0.0.1:1/v1', model: 'x' };

test.for<readonly [string, () => unknown, RegExp]>([
  ['openaiCompatible', () => openaiCompatible(loose({ baseUrl: local.baseURL, model: 'x' })), /“baseUrl”.*baseURL/su],
  ['openaiCompatible', () => openaiCompatible(loose({ ...local, apikey: 'k' })), /“apikey”.*apiKey/su],
  ['openaiCompatible', () => openaiCompatible(loose({ baseURL: local.baseURL })), /“undefined” is no name of a model/u],
  ['openaiCompatible', () => openaiCompatible(loose({ model: 'x' })), /The base URL is undefined/u],
  ['anthropic', () => anthropic(loose({ apiKey: 'k', modle: 'x' })), /“modle”.*model/su],
  ['aiSdk', () => aiSdk(new MockLanguageModelV4(), loose({ contextToken: 1 })), /“contextToken”.*contextTokens/su],
  ['fallback', () => fallback([model], loose({ alsoon: [] })), /“alsoon”.*alsoOn/su],
  ['withRetry', () => withRetry(model, ports, loose({ attempt: 2 })), /“attempt”.*attempts/su],
  ['withRateLimit', () => withRateLimit(model, ports, loose({ concurency: 1 })), /“concurency”.*concurrency/su],
  ['withBudget', () => withBudget(model, loose({ call: 1 })), /“call”.*calls/su],
  ['recorded', async () => recorded(model, memoryCassette(), loose({ modes: 'record' })), /“modes”.*mode/su],
])('%s refuses an option that there is not, with the nearest that there is', async ([, make, words]) => {
  const failure: unknown = await (async () => make())().catch((error: unknown) => error);
  const { code, message, hint } = failure as { code?: string; message?: string; hint?: string };
  expect(['USAGE', 'ADDRESS_REFUSED']).toContain(code);
  expect(`${message}\n${hint}`).toMatch(words);
});

test('a provider in the place of a model is told as that', () => {
  const provider = Object.assign(() => new MockLanguageModelV4(), { specificationVersion: 'v4' });
  expect(() => aiSdk(loose(provider))).toThrow(/a provider of models/u);
});

const priced = (name: string, input: number): ModelAdapter =>
  aiSdk(new MockLanguageModelV4({ provider: 'mine', modelId: name }), {
    models: { [`mine:${name}`]: { prices: { input, output: 10 } } },
  });

test('PSA-29: a model tells what a call of it costs, through every wrapper, and a budget in dollars goes by it', async () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 0 };
  const [cheap, dear] = [priced('small', 1), priced('large', 5)];
  expect([cheap.costOf?.(usage), dear.costOf?.(usage)]).toEqual([1, 5]);
  const both = withRetry(withRateLimit(fallback([cheap, dear]), ports, { concurrency: 1 }), ports);
  expect(both.costOf?.(usage)).toBe(5);
  expect(fallback([cheap, model]).costOf?.(usage)).toBeUndefined();
  const limited = withBudget(both, { cost: 1e-9 });
  await expect(limited.decide(requestFor('system'), calling())).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED' });
  expect(limited.costOf?.(usage)).toBe(5);
});

test('PSA-29: a model of the AI SDK whose price nobody knows says so before it is asked', () => {
  expect(aiSdk(new MockLanguageModelV4()).costOf?.({ inputTokens: 1, outputTokens: 1 })).toBeUndefined();
  expect(aiSdk(new MockLanguageModelV4())).toHaveProperty('costOf');
});

test('PSA-29: a budget in dollars needs a price of every model that may answer', () => {
  expect(() => withBudget(fallback([priced('small', 1), model]), { cost: 1 })).toThrow(/Nobody knows what/u);
});
