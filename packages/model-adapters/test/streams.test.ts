import { agentActionKinds, parseDecision } from '@skillpack/core';
import { expect, test } from 'vitest';
import type { AiSdkOptions } from '../src/ai-sdk/ai-sdk-options.js';
import { ask, type Outcome } from './conformance/ask.js';
import { type EventStyle, eventBytes } from './conformance/event-bytes.js';
import { type Sent, send, sendBytes } from './conformance/protocol.js';
import type { Said } from './conformance/said.js';
import { type Answer, startProvider } from './conformance/start-provider.js';
import { anthropicSubject, openaiSubject, type Subject } from './conformance/subjects.js';

const both = [openaiSubject, anthropicSubject].map((subject) => [subject.title, subject] as const);

const decision = '{"action":{"kind":"final_answer","content":"Grüße 漢\u{1F600}, \\"so\\"\\n."}}';

async function outcomeOf(subject: Subject, answer: Answer, options: AiSdkOptions = {}): Promise<Outcome> {
  const provider = await startProvider(subject.protocol.check, answer);
  try {
    return await ask(subject.make(provider.origin, { structured: 'text', ...options }));
  } finally {
    await provider.close();
  }
}

const said = async (subject: Subject, sent: Sent, options?: AiSdkOptions): Promise<Outcome> =>
  outcomeOf(subject, async (call, out) => send(subject.protocol, { call, out }, sent), options);

const inText: Said = { parts: [{ kind: 'text', text: decision }], pieceLength: 40 };
const inCall: Said = { parts: [{ kind: 'call', name: 'decide', input: decision }], pieceLength: 1 };

function expectDecision({ answer, error, told }: Outcome): void {
  expect(error).toBeUndefined();
  expect(answer).toMatchObject({ text: decision, finish: 'stop', usage: { inputTokens: 10, outputTokens: 5 } });
  expect(told).toBe(decision);
}

const styles: readonly (readonly [title: string, style: EventStyle])[] = [
  ['CRLF', { newline: '\r\n' }],
  ['CR', { newline: '\r' }],
  ['a byte order mark', { mark: true }],
  ['no blank behind the colon', { blank: false }],
  ['comments, ids and unknown fields', { noise: true }],
  ['all of it', { newline: '\r\n', mark: true, blank: false, noise: true }],
];

test.for(both.flatMap(([title, subject]) => styles.map(([style, wire]) => [title, style, { subject, wire }] as const)))(
  'PSA-29: events are read however they are written: %s, %s',
  async ([, , { subject, wire }]) => {
    expectDecision(await said(subject, { ...inText, wire }));
    expectDecision(await said(subject, { ...inText, wire: { ...wire, cuts: 'everywhere' } }));
  },
);

test.for(both)(
  'PSA-29: a stream may be cut at every byte, within a character and between CR and LF: %s',
  async ([, subject]) => {
    const wire: EventStyle = { newline: '\r\n' };
    const { length } = eventBytes(subject.protocol.events(inText), wire);
    let at = 0;
    const provider = await startProvider(subject.protocol.check, async (call, out) =>
      send(subject.protocol, { call, out }, { ...inText, wire: { ...wire, cuts: [at] } }),
    );
    const model = subject.make(provider.origin, { structured: 'text' });
    for (at = 1; at < length; at += 1) expectDecision(await ask(model));
    await provider.close();
    expect(length).toBeGreaterThan(500);
  },
);

test.for(both)('PSA-29: a call of a tool arrives one character at a time: %s', async ([, subject]) => {
  for (const cuts of [[], 'everywhere'] as const) {
    expectDecision(await said(subject, { ...inCall, wire: { cuts } }, { structured: 'tools' }));
  }
});

test.for(both)('PSA-29: prose before and after a call does not spoil it: %s', async ([, subject]) => {
  const around: Said = { parts: [{ kind: 'text', text: 'I will now decide.' }, ...inCall.parts] };
  const { answer, told } = await said(subject, around, { structured: 'tools' });
  expect(told).toBe(answer?.text);
  expect(parseDecision(answer?.text ?? '', agentActionKinds)).toMatchObject({
    decision: { action: { kind: 'final_answer' } },
  });
});

test.for(both)(
  'PSA-05: two calls in one answer are two decisions, of which none is taken, and none is dropped: %s',
  async ([, subject]) => {
    const call = (text: string) => ({ kind: 'call' as const, name: 'shout', input: JSON.stringify({ text }) });
    for (const stream of [true, false]) {
      const { answer, told } = await said(
        subject,
        { parts: [call('one'), call('two')] },
        { structured: 'tools', nativeTools: true, stream },
      );
      expect(told).toBe(answer?.text);
      expect(answer?.text).toContain('one');
      expect(answer?.text).toContain('two');
      expect(parseDecision(answer?.text ?? '', agentActionKinds).kind).toBe('rejected');
    }
  },
);

test.for(both)('PSA-29: what a model thinks comes apart from what it says: %s', async ([, subject]) => {
  for (const stream of [true, false]) {
    const thinking: Said = { parts: [{ kind: 'reasoning', text: 'Hmm, 漢.' }, ...inText.parts] };
    const outcome = await said(subject, thinking, { stream });
    expectDecision(outcome);
    expect(outcome.answer?.reasoning).toBe('Hmm, 漢.');
    expect(outcome.thought).toBe('Hmm, 漢.');
  }
});

test.for([
  [openaiSubject.title, openaiSubject, { parts: [{ kind: 'refusal', text: 'I cannot.' }] }],
  [openaiSubject.title, openaiSubject, { parts: [{ kind: 'text', text: '' }], finish: 'content_filter' }],
  [anthropicSubject.title, anthropicSubject, { parts: [{ kind: 'refusal', text: 'I cannot.' }] }],
  [anthropicSubject.title, anthropicSubject, { parts: [], finish: 'refusal' }],
] as const satisfies readonly (readonly [string, Subject, Said])[])(
  'PSA-29: a refusal is told as one: %s',
  async ([, subject, refusal]) => {
    for (const stream of [true, false]) {
      const { answer, error } = await said(subject, refusal, { stream });
      expect(error).toBeUndefined();
      expect(answer?.finish).toBe('refused');
    }
  },
);

test.for([
  [openaiSubject.title, 'length', openaiSubject, 'length'],
  [openaiSubject.title, 'nobody_knows', openaiSubject, 'other'],
  [openaiSubject.title, 'tool_calls', openaiSubject, 'stop'],
  [anthropicSubject.title, 'max_tokens', anthropicSubject, 'length'],
  [anthropicSubject.title, 'model_context_window_exceeded', anthropicSubject, 'length'],
  [anthropicSubject.title, 'nobody_knows', anthropicSubject, 'other'],
  [anthropicSubject.title, 'tool_use', anthropicSubject, 'stop'],
] as const)('PSA-29: %s ends with %s, whether or not it fits the answer', async ([, reason, subject, finish]) => {
  for (const stream of [true, false]) {
    const { answer } = await said(subject, { ...inText, finish: reason }, { stream });
    expect(answer).toMatchObject({ text: decision, finish });
  }
});

const absurd = [
  [openaiSubject.title, openaiSubject, { prompt_tokens: -5, completion_tokens: 1e300 }],
  [openaiSubject.title, openaiSubject, { prompt_tokens: 0.5, completion_tokens: null }],
  [openaiSubject.title, openaiSubject, { prompt_tokens: 3, prompt_tokens_details: { cached_tokens: 99 } }],
  [openaiSubject.title, openaiSubject, {}],
  [openaiSubject.title, openaiSubject, null],
  [anthropicSubject.title, anthropicSubject, { input_tokens: -5, output_tokens: 1e300 }],
  [anthropicSubject.title, anthropicSubject, { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: -1 }],
] as const satisfies readonly (readonly [string, Subject, unknown])[];

test.for(absurd)('PSA-29: usage that is missing or cannot be spoils no answer: %s, %o', async ([, subject, usage]) => {
  for (const stream of [true, false]) {
    const { answer, error } = await said(subject, { ...inText, usage }, { stream });
    expect(error).toBeUndefined();
    const { inputTokens = -1, outputTokens = -1, cachedInputTokens = 0 } = answer?.usage ?? {};
    for (const count of [inputTokens, outputTokens, cachedInputTokens]) {
      expect(Number.isSafeInteger(count) && count >= 0, JSON.stringify(answer?.usage)).toBe(true);
    }
    expect(cachedInputTokens).toBeLessThanOrEqual(inputTokens);
  }
});

/** The first of the bytes that an answer's stream has, up to where a text stands in it, or with it. */
function bytesUpTo({ protocol }: Subject, text: string, sent: Said = inText): Uint8Array {
  const bytes = Buffer.from(eventBytes(protocol.events(sent)));
  return bytes.subarray(0, bytes.indexOf(text));
}

test.for([
  [openaiSubject.title, openaiSubject, '"finish_reason":"stop"'],
  [openaiSubject.title, openaiSubject, '"content":"{'],
  [anthropicSubject.title, anthropicSubject, '"type":"content_block_stop"'],
  [anthropicSubject.title, anthropicSubject, '"type":"message_delta"'],
  [anthropicSubject.title, anthropicSubject, '"text_delta"'],
] as const satisfies readonly (readonly [string, Subject, string])[])(
  'PSA-29: an answer that ends before its end, or whose connection is reset, may be asked for again: %s, before %s',
  async ([, subject, text]) => {
    for (const end of ['end', 'reset'] as const) {
      const { answer, error } = await outcomeOf(subject, async (_, out) => {
        await sendBytes(out, bytesUpTo(subject, text));
        out[end]();
      });
      expect(answer).toBeUndefined();
      expect(['NETWORK_ERROR', 'MODEL_ERROR']).toContain((error as { code?: unknown } | undefined)?.code);
    }
  },
);

test('PSA-29: a stream that ends after its reason, without [DONE], is whole', async () => {
  expectDecision(
    await outcomeOf(openaiSubject, async (_, out) => {
      await sendBytes(out, bytesUpTo(openaiSubject, 'data: [DONE]'));
      out.end();
    }),
  );
});
