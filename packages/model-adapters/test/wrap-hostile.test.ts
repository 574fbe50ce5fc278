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

test('PSA-29: an answer that a model refused after pieces of it were told is the answer', async () => {
  const refusing = playing([{ pieces: ['I would rather'], finish: 'refused' }]);
  const second = playing([{ text: 'x' }]);
  const told: string[] = [];
  const model = fallback([refusing, second], { alsoOn: ['MODEL_REFUSED'] });
  const answer = await model.decide(requestFor('a'), calling({ onText: (piece) => told.push(piece) }));
  expect([answer.finish, answer.text, told, second.asked]).toEqual([
    'refused',
    'I would rather',
    ['I would rather'],
    0,
  ]);
});

test('PSA-29: of answers of which one has no price, nobody is told what they cost together', async () => {
  const usage: ModelUsage = { inputTokens: 1, outputTokens: 1 };
  for (const [first, second] of [
    [usage, { ...usage, cost: 1 }],
    [{ ...usage, cost: 1 }, usage],
  ] as const) {
    const refusing = playing([{ finish: 'refused', usage: first }]);
    const model = fallback([refusing, playing([{ text: 'x', usage: second }])], { alsoOn: ['MODEL_REFUSED'] });
    const answer = await model.decide(requestFor('a'), calling());
    expect(answer.usage).toMatchObject({ inputTokens: 2, outputTokens: 2, cost: undefined });
  }
});

/** A clock that can go back, and tells how long somebody waits. */
function movedClock() {
  const waits: number[] = [];
  const at = { now: 10_000_000 };
  const pause = async (milliseconds: number): Promise<void> => {
    waits.push(milliseconds);
    at.now += milliseconds;
  };
  return { at, waits, clock: { now: () => at.now, pause } satisfies Clock };
}

test('PSA-29: a clock that is put back makes nobody wait until it is that late again', async () => {
  const { at, waits, clock } = movedClock();
  const limited = withRateLimit(playing([{}]), { clock }, { requestsPerMinute: 1 });
  await limited.decide(requestFor('a'), calling());
  at.now -= 3_600_000;
  await limited.decide(requestFor('b'), calling());
  await limited.decide(requestFor('c'), calling());
  expect(waits).toEqual([60_000]);
});

test('PSA-29: of a server that does not say what a call took, the estimate counts', async () => {
  for (const tokens of [0, Number.NaN, Number.POSITIVE_INFINITY]) {
    const { waits, clock } = movedClock();
    const usage = { inputTokens: tokens, outputTokens: tokens };
    const options = { tokensPerMinute: 150, countTokens: () => 100 };
    const limited = withRateLimit(playing([{ usage }]), { clock }, options);
    await limited.decide(requestFor('a'), calling());
    await limited.decide(requestFor('b'), calling());
    expect(waits).toEqual([60_000]);
  }
});

test('PSA-29: nobody waits longer than a timer can', async () => {
  const { waits, clock } = movedClock();
  const unlimited = { attempts: 2, longestPause: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY };
  const model = withRetry(playing([{ fail: 'RATE_LIMITED', retryAfter: 1e15 }, {}]), { clock }, unlimited);
  await model.decide(requestFor('a'), calling());
  expect(waits).toEqual([2_147_483_647]);
});

test('PSA-29: tools that the system text names are counted once', async () => {
  const counted: string[] = [];
  const limited = withBudget(playing([{ text: 'x' }]), {
    tokens: 1000,
    answerTokens: 0,
    countTokens: (text) => {
      counted.push(text);
      return 1;
    },
  });
  const tool = { description: 'Reads.', inputSchema: {} };
  const tools = [
    { name: 'read_file', ...tool },
    { name: 'write_file', ...tool },
  ];
  await limited.decide({ ...requestFor('You have read_file.'), tools }, calling());
  expect(counted[0]?.match(/read_file|write_file/gu)).toEqual(['read_file', 'write_file']);
});
