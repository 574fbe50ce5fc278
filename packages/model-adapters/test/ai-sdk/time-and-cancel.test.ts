import { getEventListeners } from 'node:events';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ModelAdapter, ModelAnswer } from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { aiSdk } from '../../src/ai-sdk/ai-sdk.js';
import { finish, type Part, requestOf, text, usageOf } from './mocked-provider.js';

/** A stream that a test writes, and that heeds no signal. */
class Source {
  readonly stream: ReadableStream<Part>;
  #controller: ReadableStreamDefaultController<LanguageModelV4StreamPart> | undefined;
  cancelled = 0;

  constructor() {
    this.stream = new ReadableStream<Part>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.cancelled += 1;
      },
    });
  }

  async send(...parts: readonly Part[]): Promise<void> {
    // Nobody can write into a stream that was closed.
    if (this.cancelled === 0) for (const part of parts) this.#controller?.enqueue(part);
    await settled();
  }
}

/** Everything that waits for nobody is done. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

interface Called {
  readonly pieces: string[];
  readonly end: () => Promise<ModelAnswer | { readonly code: unknown; readonly message: string }>;
  readonly cancel: (reason?: unknown) => void;
}

function callOf(model: ModelAdapter): Called {
  const controller = new AbortController();
  const pieces: string[] = [];
  const asked = model
    .decide(requestOf(), { signal: controller.signal, onText: (delta) => pieces.push(delta) })
    // Cast: the codes of errors are looked at as they are.
    .catch((error: unknown) => error as { readonly code: unknown; readonly message: string });
  return { pieces, end: async () => asked, cancel: (reason) => controller.abort(reason) };
}

function deafModel(source: Source): { readonly model: MockLanguageModelV4; readonly signals: AbortSignal[] } {
  const signals: AbortSignal[] = [];
  const model = new MockLanguageModelV4({
    doStream: async ({ abortSignal }) => {
      if (abortSignal !== undefined) signals.push(abortSignal);
      return { stream: source.stream };
    },
  });
  return { model, signals };
}

const delta = (said: string): Part => ({ type: 'text-delta', id: 't', delta: said });

test('a provider that heeds no signal is left behind at once, tells no more, and its stream is closed', async () => {
  const source = new Source();
  const { model, signals } = deafModel(source);
  const call = callOf(aiSdk(model));
  await settled();
  await source.send(delta('a'));
  call.cancel('enough');
  expect(await call.end()).toMatchObject({ code: 'INTERRUPTED', cause: 'enough' });
  await source.send(delta('b'), finish());
  expect(call.pieces).toEqual(['a']);
  expect(source.cancelled).toBe(1);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('a provider that answers only after it was left behind finds its stream closed', async () => {
  const source = new Source();
  let answer = (_: { stream: ReadableStream<Part> }): void => undefined;
  const model = new MockLanguageModelV4({ doStream: () => new Promise((resolve) => void (answer = resolve)) });
  const call = callOf(aiSdk(model));
  await settled();
  call.cancel();
  expect(await call.end()).toMatchObject({ code: 'INTERRUPTED' });
  answer({ stream: source.stream });
  await settled();
  expect(source.cancelled).toBe(1);
  // Without a stream, and one that fails late: nobody hears of it.
  let fail = (_: unknown): void => undefined;
  const late = new MockLanguageModelV4({ doGenerate: () => new Promise((_, reject) => void (fail = reject)) });
  const other = callOf(aiSdk(late, { stream: false }));
  await settled();
  other.cancel();
  expect(await other.end()).toMatchObject({ code: 'INTERRUPTED' });
  fail(new Error('too late'));
  await settled();
});

test('an aborted call asks nobody', async () => {
  const { model } = deafModel(new Source());
  await expect(aiSdk(model).decide(requestOf(), { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'INTERRUPTED',
  });
  expect(model.doStreamCalls).toHaveLength(0);
});

test('an answer has to begin in time, go on in time, and be whole in time; each piece gives it more', async () => {
  const cases = [
    ['began no answer within 100 ms', { firstPiece: 100 }, []],
    ['went on with no answer within 50 ms', { firstPiece: 100, betweenPieces: 50 }, [delta('a')]],
    ['had no whole answer within 160 ms', { betweenPieces: 100, total: 160 }, [delta('a'), delta('b'), delta('c')]],
  ] as const;
  for (const [message, timeout, parts] of cases) {
    const clock = fakeClock();
    const source = new Source();
    const call = callOf(aiSdk(deafModel(source).model, { timeout, clock, name: 'my:model' }));
    await settled();
    await source.send({ type: 'stream-start', warnings: [] });
    for (const part of parts) {
      clock.advance(49);
      await source.send(part, { type: 'ping' });
    }
    clock.advance(49);
    await settled();
    clock.advance(60);
    expect(await call.end()).toMatchObject({ code: 'TIMEOUT', message: `The model my:model ${message}.` });
    await source.send(delta('late'), finish());
    expect(call.pieces).toEqual(['a', 'b', 'c'].slice(0, parts.length));
    expect(source.cancelled, message).toBe(1);
    expect(clock.timers, message).toBe(0);
  }
});

test('an answer in time ends the timers, and a failed one as well', async () => {
  const clock = fakeClock();
  const timeout = { firstPiece: 10, betweenPieces: 10, total: 100 };
  const source = new Source();
  const call = callOf(aiSdk(deafModel(source).model, { timeout, clock }));
  await settled();
  expect(clock.timers).toBe(2);
  await source.send(...text('{}'), finish('stop', usageOf()));
  expect(await call.end()).toMatchObject({ text: '{}', finish: 'stop' });
  expect([clock.timers, source.cancelled]).toEqual([0, 1]);
  const broken = new Source();
  const failed = callOf(aiSdk(deafModel(broken).model, { timeout, clock }));
  await settled();
  await broken.send({ type: 'error', error: new TypeError('fetch failed') });
  expect(await failed.end()).toMatchObject({ code: 'NETWORK_ERROR' });
  expect([clock.timers, broken.cancelled]).toEqual([0, 1]);
});

test('thoughts and pieces of a call count as pieces; a piece that says nothing does not', async () => {
  const clock = fakeClock();
  const source = new Source();
  const call = callOf(aiSdk(deafModel(source).model, { timeout: { betweenPieces: 50, firstPiece: 50 }, clock }));
  await settled();
  clock.advance(40);
  await source.send({ type: 'reasoning-delta', id: 'r', delta: 'hm' });
  clock.advance(40);
  await source.send({ type: 'tool-input-start', id: 'c', toolName: 'decide' });
  await source.send({ type: 'tool-input-delta', id: 'c', delta: '{' });
  clock.advance(40);
  await source.send(delta(''));
  clock.advance(11);
  expect(await call.end()).toMatchObject({ code: 'TIMEOUT' });
});

test('a call that ended listens to nobody any more, and a limit that no timer can have is none', async () => {
  const clock = fakeClock();
  const source = new Source();
  const { signal } = new AbortController();
  const model = aiSdk(deafModel(source).model, { timeout: { total: 2 ** 40 }, clock });
  const asked = model.decide(requestOf(), { signal });
  await settled();
  expect([clock.timers, getEventListeners(signal, 'abort').length]).toEqual([0, 1]);
  await source.send(...text('{}'), finish());
  await asked;
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('where the clock has no timers, there are no limits', async () => {
  const source = new Source();
  const call = callOf(aiSdk(deafModel(source).model, { timeout: { total: 1 }, clock: { now: () => 0 } }));
  await settled();
  await source.send(...text('{}'), finish());
  expect(await call.end()).toMatchObject({ finish: 'stop' });
});
