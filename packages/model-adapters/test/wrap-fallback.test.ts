import { SkillsError, type ErrorCode } from '@skillpack/core';
import { fallback, type FallbackEvent } from '@skillpack/model-adapters';
import { expect, test } from 'vitest';
import { calling, codeOf, playing, requestFor } from './wrap-ground.js';

const request = requestFor('system');

test('PSA-29: the next model is asked where one cannot be reached, with its name to whoever wants to know', async () => {
  for (const fail of ['NETWORK_ERROR', 'TIMEOUT', 'RATE_LIMITED', 'OVERLOADED', 'MODEL_ERROR'] as const) {
    const events: FallbackEvent[] = [];
    const first = playing([{ fail }], { name: 'mine:first' });
    const model = fallback([first, playing([{ text: 'second' }])], { onFallback: (event) => events.push(event) });
    expect((await model.decide(request, calling())).text).toBe('second');
    expect((await model.decide(request, calling())).text).toBe('second');
    expect(first.asked).toBe(2);
    expect(events.map(({ from, to, error }) => [from, to, error.code])).toEqual([
      ['mine:first', 'mine:one', fail],
      ['mine:first', 'mine:one', fail],
    ]);
  }
});

test('PSA-29: after an error that is the fault of the request, or of its sender, no other model is asked unless that is wanted', async () => {
  for (const fail of [
    'UNAUTHORIZED',
    'MODEL_NOT_FOUND',
    'MODEL_REFUSED',
    'CONTEXT_TOO_LONG',
    'REQUEST_REFUSED',
  ] as const) {
    const second = playing([{ text: 'second' }]);
    expect(await codeOf(fallback([playing([{ fail }]), second]).decide(request, calling()))).toBe(fail);
    expect(second.asked).toBe(0);
    const willing = fallback([playing([{ fail }]), second], { alsoOn: [fail] });
    expect((await willing.decide(request, calling())).text).toBe('second');
  }
});

test('PSA-29: an answer that a model refused is replaced where that is wanted, and its cost is told with the other', async () => {
  const refused = { finish: 'refused', usage: { inputTokens: 7, outputTokens: 1, cost: 0.25 } } as const;
  const answered = { text: 'yes', usage: { inputTokens: 20, outputTokens: 2, reasoningTokens: 1, cost: 0.5 } };
  const plain = fallback([playing([refused]), playing([answered])]);
  expect((await plain.decide(request, calling())).finish).toBe('refused');
  const model = fallback([playing([refused]), playing([answered])], { alsoOn: ['MODEL_REFUSED'] });
  expect(await model.decide(request, calling())).toMatchObject({
    text: 'yes',
    usage: { inputTokens: 27, outputTokens: 3, reasoningTokens: 1, cost: 0.75 },
  });
  const all = fallback([playing([refused]), playing([refused])], { alsoOn: ['MODEL_REFUSED'] });
  expect((await all.decide(request, calling())).finish).toBe('refused');
});

test('PSA-29: what was told is not taken back: a model that breaks off is replaced only where its pieces were held back', async () => {
  const torn = { fail: 'NETWORK_ERROR', pieces: ['{"act', 'ion'] } as const;
  for (const buffer of [false, true]) {
    const told: string[] = [];
    const model = fallback([playing([torn]), playing([{ text: 'whole' }])], { buffer });
    const call = model.decide(request, calling({ onText: (piece) => told.push(piece) }));
    expect(await codeOf(call)).toBe(buffer ? 'no error' : 'NETWORK_ERROR');
    expect(told.join('')).toBe(buffer ? 'whole' : '{"action');
  }
  // Who hears no pieces can be given another answer at any time.
  expect((await fallback([playing([torn]), playing([{ text: 'whole' }])]).decide(request, calling())).text).toBe(
    'whole',
  );
});

test('PSA-29: where all fail the error says who failed how, whether asking again makes sense, and when', async () => {
  const failing = (fail: ErrorCode, retryAfter?: number) =>
    playing([{ fail, ...(retryAfter === undefined ? {} : { retryAfter }) }], { name: `mine:${fail}` });
  const model = fallback([failing('RATE_LIMITED', 9000), failing('OVERLOADED', 3000), failing('UNAUTHORIZED')], {
    alsoOn: ['UNAUTHORIZED'],
  });
  const error: unknown = await model.decide(request, calling()).catch((reason: unknown) => reason);
  expect(SkillsError.is(error, 'OVERLOADED'), String(error)).toBe(true);
  expect(error).toMatchObject({
    message:
      'None of 3 models answered. mine:RATE_LIMITED: It fails with RATE_LIMITED. mine:OVERLOADED: It fails with OVERLOADED. mine:UNAUTHORIZED: It fails with UNAUTHORIZED.',
    data: { retryAfter: 3000, tried: [{ code: 'RATE_LIMITED' }, { code: 'OVERLOADED' }, { code: 'UNAUTHORIZED' }] },
  });
  const none = fallback([failing('UNAUTHORIZED'), failing('MODEL_NOT_FOUND')], {
    alsoOn: ['UNAUTHORIZED', 'MODEL_NOT_FOUND'],
  });
  expect(await codeOf(none.decide(request, calling()))).toBe('MODEL_NOT_FOUND');
});

test('PSA-29: a cancel, and what is no error of ours, is handed on; no other model is asked', async () => {
  const second = playing([{ text: 'second' }]);
  const controller = new AbortController();
  const aborting = {
    ...playing([]),
    decide: async () => Promise.reject(new SkillsError('NETWORK_ERROR', 'x', { cause: controller.abort() })),
  };
  expect(await codeOf(fallback([aborting, second]).decide(request, { signal: controller.signal }))).toBe('INTERRUPTED');
  const broken = { ...playing([]), decide: async () => Promise.reject(new Error('a defect')) };
  expect(await codeOf(fallback([broken, second]).decide(request, calling()))).toBe('Error: a defect');
  expect(second.asked).toBe(0);
});

test('PSA-29: models that take tools differently cannot stand in for each other, and the smallest window counts', () => {
  const small = playing([], { contextTokens: 10, nativeTools: true });
  const large = playing([], { name: 'mine:two', nativeTools: true });
  expect(fallback([large, small])).toMatchObject({
    name: 'fallback:mine:two,mine:one',
    contextTokens: 10,
    nativeTools: true,
  });
  expect(fallback([small], { name: 'mine:any' }).name).toBe('mine:any');
  for (const models of [[], [small, playing([])]]) {
    expect(() => fallback(models)).toThrow(
      models.length === 0 ? 'the list is empty' : 'do not take tools the same way',
    );
  }
});
