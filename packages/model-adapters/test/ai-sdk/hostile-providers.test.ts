import { inspect } from 'node:util';
import { agentActionKinds, parseDecision, SkillsError } from '@skillpack/core';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { aiSdk } from '../../src/ai-sdk/ai-sdk.js';
import type { AiSdkOptions } from '../../src/ai-sdk/ai-sdk-options.js';
import { answering, call, final, finish, type Part, provider, requestOf, text, wholeCall } from './mocked-provider.js';

const idle = (): AbortSignal => new AbortController().signal;

async function thrownBy(model: MockLanguageModelV4, options: AiSdkOptions = {}): Promise<unknown> {
  return aiSdk(model, options)
    .decide(requestOf(), { signal: idle() })
    .then(
      ({ text: said }) => `It answered ${said}`,
      (error: unknown) => error,
    );
}

test('PSA-29: a header that by its name holds a secret stands in no error, also where the provider repeats it', async () => {
  const headers = { 'x-api-secret': 'hunter2secret', cookie: 'a=first-cookie; b=second-cookie' };
  const model = answering((options) => {
    throw new Error(`It was sent ${JSON.stringify(options.headers)}, second-cookie.`);
  });
  const told = inspect(await thrownBy(model, { headers }), { depth: 9, showHidden: true });
  expect(told).toContain('It was sent');
  expect(told).not.toMatch(/hunter2secret|first-cookie|second-cookie/u);
});

test.for([
  ['length', ''],
  ['length', '{}'],
  ['length', ' { } '],
  ['content-filter', ''],
  ['content-filter', '{}'],
] as const)(
  'PSA-29: a call that was cut off (%s) before its arguments (%o) is no decision to make it without any',
  async ([reason, input]) => {
    for (const parts of [call('1', 'wipe', input), [wholeCall('1', 'wipe', input)]]) {
      for (const stream of [true, false]) {
        const pieces: string[] = [];
        const answer = await aiSdk(provider(parts, finish(reason)), { nativeTools: true, stream }).decide(
          requestOf([], ['wipe']),
          { signal: idle(), onText: (piece) => pieces.push(piece) },
        );
        expect(pieces.join('')).toBe(answer.text);
        expect(answer.text).toContain('"tool":"wipe"');
        expect(parseDecision(answer.text, agentActionKinds)).toMatchObject({ kind: 'rejected' });
      }
    }
  },
);

test('a call without arguments that others follow was whole, and so is one with arguments', async () => {
  const two = [wholeCall('1', 'wipe', ''), wholeCall('2', 'wipe', '{}'), finish('length')];
  const answer = await aiSdk(provider(two), { nativeTools: true }).decide(requestOf([], ['wipe']), { signal: idle() });
  expect(answer.text).toBe(
    '{"action":{"kind":"call_tool","tool":"wipe","input":{}}}\n{"action":{"kind":"call_tool","tool":"wipe","input":{}',
  );
  const one = [wholeCall('1', 'wipe', '{"all":true}'), finish('length')];
  const { text: said } = await aiSdk(provider(one), { nativeTools: true }).decide(requestOf([], ['wipe']), {
    signal: idle(),
  });
  expect(parseDecision(said, agentActionKinds)).toMatchObject({ decision: { action: { input: { all: true } } } });
});

test('whatever a provider comes to after it was left behind, nothing is thrown that nobody catches', async () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', listen);
  const broken = (): never => {
    throw new Error('It does not close.');
  };
  const closed = { cancelled: 0 };
  const cancel = (): Promise<never> => {
    closed.cancelled += 1;
    return Promise.reject(new Error('It was closed.'));
  };
  for (const late of [undefined, {}, { stream: null }, { stream: { cancel: broken } }, { stream: { cancel } }]) {
    const giveUp = new AbortController();
    let answer: (() => void) | undefined;
    const model = new MockLanguageModelV4({
      // Cast: no type holds for what is handed in from JavaScript.
      doStream: async () => new Promise<never>((resolve) => void (answer = () => resolve(late as never))),
    });
    const asked = aiSdk(model)
      .decide(requestOf(), { signal: giveUp.signal })
      .catch((error: unknown) => error);
    giveUp.abort();
    expect(await asked).toMatchObject({ code: 'INTERRUPTED' });
    answer?.();
    await new Promise(setImmediate);
  }
  process.off('unhandledRejection', listen);
  expect(unhandled).toEqual([]);
  expect(closed.cancelled).toBe(1);
});

test('what a provider throws has a code, also where it cannot even be asked what it is', async () => {
  const fail = (): never => {
    throw new Error('It cannot be asked.');
  };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  for (const thrown of [
    Object.defineProperty({}, 'cause', { get: fail }),
    Object.defineProperty(new Error('x'), 'message', { get: fail }),
    new Proxy({}, { get: fail, has: fail, getPrototypeOf: fail }),
    revoked.proxy,
    Object.create(null),
    null,
    undefined,
    Symbol('x'),
  ] as readonly unknown[]) {
    const throwing = answering(() => {
      throw thrown;
    });
    const sending = new MockLanguageModelV4({
      doStream: async () => ({ stream: convertArrayToReadableStream<Part>([{ type: 'error', error: thrown }]) }),
    });
    for (const model of [throwing, sending]) {
      const error = await thrownBy(model);
      expect(SkillsError.is(error, 'MODEL_ERROR')).toBe(true);
    }
  }
});

test.for<object>([
  { type: 'text-delta', id: 't' },
  { type: 'text-delta', id: 't', delta: null },
  { type: 'text-delta', id: 't', delta: [final('another one')] },
  { type: 'reasoning-delta', id: 't', delta: 5 },
  { type: 'tool-input-start', id: '1' },
  { type: 'tool-input-delta', id: '1', delta: {} },
  { type: 'tool-call', toolCallId: '1', toolName: 'decide', input: { action: { kind: 'final_answer', content: 'x' } } },
  { type: 'tool-call', toolCallId: '1', toolName: { a: 1 }, input: '{}' },
  { type: 'tool-call', toolCallId: 1, toolName: 'decide', input: '{}' },
])('PSA-29: an answer with a part that is none, %o, is no answer', async (odd) => {
  // Cast: no type holds for what is handed in from JavaScript.
  const parts = [odd as Part, text(final('This one.')), finish()];
  for (const structured of ['schema', 'tools'] as const) {
    expect(await thrownBy(provider(...parts), { structured })).toMatchObject({ code: 'MODEL_ERROR' });
  }
});

test.for([
  [404, 'The model tools-7b was not found.', 'MODEL_NOT_FOUND'],
  [400, 'Your prompt about tools was filtered: content_filter.', 'MODEL_REFUSED'],
  [400, 'max_tokens is too large.', 'REQUEST_REFUSED'],
  [401, 'This key may not use tools.', 'UNAUTHORIZED'],
  [500, 'A tool of the server broke: response_format.', 'MODEL_ERROR'],
  [429, 'Too many calls with tools.', 'RATE_LIMITED'],
] as const)(
  'PSA-29: %i “%s” is no refusal of a form: nobody is asked in another one',
  async ([status, message, code]) => {
    const model = answering(() => {
      const shape = { url: 'https://models.example/v1', requestBodyValues: {}, statusCode: status };
      throw Object.assign(new Error(message), shape);
    });
    expect(await thrownBy(model)).toMatchObject({ code });
    expect(model.doStreamCalls).toHaveLength(1);
  },
);

test('PSA-29: a call whose input ends and is no JSON was cut, whatever the provider says', async () => {
  const parts: readonly Part[] = [
    { type: 'tool-input-start', id: '1', toolName: 'decide' },
    { type: 'tool-input-delta', id: '1', delta: '{"action":{"kind":"final_answer","content":"x"}' },
    { type: 'tool-input-end', id: '1' },
    finish('tool-calls'),
  ];
  const answer = await aiSdk(provider(parts), { structured: 'tools' }).decide(requestOf(), { signal: idle() });
  expect(answer.finish).toBe('other');
  expect(parseDecision(answer.text, agentActionKinds).kind).toBe('rejected');
});

test('tokens that no number can count are none', async () => {
  for (const total of [1e300, Number.NaN, -5, Number.POSITIVE_INFINITY]) {
    const odd = { total, noCache: undefined, cacheRead: total, cacheWrite: total };
    const usage = { inputTokens: odd, outputTokens: { total, text: undefined, reasoning: total } };
    const answer = await aiSdk(provider(text(final('x')), finish('stop', usage))).decide(requestOf(), {
      signal: idle(),
    });
    expect(Object.values(answer.usage)).toEqual([0, 0, 0, 0, 0]);
  }
});
