import { agentActionKinds, parseDecision, SkillsError } from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { expect, test } from 'vitest';
import type { AiSdkOptions } from '../src/ai-sdk/ai-sdk-options.js';
import { ask, type Outcome, requestOf } from './conformance/ask.js';
import { eventBytes } from './conformance/event-bytes.js';
import { sendBytes } from './conformance/protocol.js';
import type { ProviderOutput } from './conformance/provider-output.js';
import { type Answer, startProvider } from './conformance/start-provider.js';
import { anthropicSubject, openaiSubject, type Subject } from './conformance/subjects.js';

const both = [openaiSubject, anthropicSubject].map((subject) => [subject.title, subject] as const);

async function outcomeOf(subject: Subject, answer: Answer, options: AiSdkOptions = {}): Promise<Outcome> {
  const provider = await startProvider(subject.protocol.check, answer);
  try {
    return await ask(subject.make(provider.origin, { structured: 'text', ...options }));
  } finally {
    await provider.close();
  }
}

const events = async (subject: Subject, sent: readonly string[], options?: AiSdkOptions): Promise<Outcome> =>
  outcomeOf(
    subject,
    async (_, out) => {
      await sendBytes(out, eventBytes(sent));
      out.end();
    },
    options,
  );

const codeOf = ({ error }: Outcome): string | undefined => (SkillsError.is(error) ? error.code : undefined);

const delta = (tool_calls: readonly unknown[]): string =>
  JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }] });
const ended = JSON.stringify({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });

const one = '{"action":{"kind":"final_answer","content":"One."}}';
const two = '{"action":{"kind":"final_answer","content":"Two."}}';
const call = (index: number | undefined, id: string | undefined, text: string, name?: string): string =>
  delta([{ index, id, type: 'function', function: { name, arguments: text } }]);

test.for([
  ['the id stands only in the first piece', [call(0, 'a', '', 'decide'), call(0, undefined, one)]],
  ['there is no id', [call(0, undefined, '', 'decide'), call(0, undefined, one)]],
  ['there is no index', [call(undefined, 'a', one.slice(0, 9), 'decide'), call(undefined, undefined, one.slice(9))]],
  ['the index begins at 5', [call(5, 'a', one.slice(0, 9), 'decide'), call(5, undefined, one.slice(9))]],
  ['the id is an empty text later', [call(0, 'a', one.slice(0, 9), 'decide'), call(0, '', one.slice(9), '')]],
] as const)('PSA-29: a call of a tool is read where %s', async ([, sent]) => {
  const outcome = await events(openaiSubject, [...sent, ended, '[DONE]'], { structured: 'tools' });
  expect(outcome.error).toBeUndefined();
  expect(outcome.answer).toMatchObject({ text: one, finish: 'stop' });
  expect(outcome.told).toBe(one);
});

test('PSA-05: two calls whose pieces alternate stay two, and each stays whole', async () => {
  const pieces = [...one].flatMap((_, at) => [
    call(0, at === 0 ? 'a' : undefined, one.charAt(at), at === 0 ? 'decide' : undefined),
    call(3, at === 0 ? 'b' : undefined, two.charAt(at), at === 0 ? 'decide' : undefined),
  ]);
  const { answer, told } = await events(openaiSubject, [...pieces, ended, '[DONE]'], { structured: 'tools' });
  expect(answer?.text).toContain(one);
  expect(answer?.text).toContain(two);
  expect(told).toBe(answer?.text);
  expect(parseDecision(answer?.text ?? '', agentActionKinds).kind).toBe('rejected');
});

test('PSA-05: two blocks of calls that alternate stay two, and each stays whole', async () => {
  const start = (index: number) => ({
    type: 'content_block_start',
    index,
    content_block: { type: 'tool_use', id: `toolu_${index}`, name: 'decide', input: {} },
  });
  const piece = (index: number, text: string) => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'input_json_delta', partial_json: text },
  });
  const whole = anthropicSubject.protocol.events({ parts: [], finish: 'tool_use' });
  const blocks = [
    start(0),
    start(4),
    ...[...one].flatMap((_, at) => [piece(0, one.charAt(at)), piece(4, two.charAt(at))]),
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_stop', index: 4 },
  ].map((event) => JSON.stringify(event));
  const sent = [...whole.slice(0, 2), ...blocks, ...whole.slice(2)];
  const { answer } = await events(anthropicSubject, sent, { structured: 'tools' });
  expect(answer?.text).toContain(one);
  expect(answer?.text).toContain(two);
  expect(parseDecision(answer?.text ?? '', agentActionKinds).kind).toBe('rejected');
});

test('PSA-29: a call whose arguments are cut off is no decision', async () => {
  const { answer } = await events(openaiSubject, [call(0, 'a', one.slice(0, -3), 'decide'), ended, '[DONE]'], {
    structured: 'tools',
  });
  expect(parseDecision(answer?.text ?? '', agentActionKinds).kind).toBe('rejected');
});

const begun = ({ protocol }: Subject): readonly string[] =>
  protocol.events({ parts: [{ kind: 'text', text: 'I am about to say' }] }).slice(0, 4);

test.for(both)('PSA-29: a line that is no JSON is MODEL_ERROR, at the beginning and later: %s', async ([, subject]) => {
  for (const before of [[], begun(subject)]) {
    for (const line of ['{"choices":[{"delta"', 'null', '[]', '"text"', '{}', '{"type":"content_block_delta"}']) {
      const outcome = await events(subject, [...before, line]);
      expect([line, codeOf(outcome)]).toEqual([line, expect.stringMatching(/^(?:MODEL_ERROR|NETWORK_ERROR)$/u)]);
    }
  }
});

const streamErrors = [
  [openaiSubject, { error: { message: 'Busy.', type: 'server_error', code: 503 } }, 'OVERLOADED'],
  [openaiSubject, { error: { message: 'Slow down.', type: 'tokens', code: 'rate_limit_exceeded' } }, 'RATE_LIMITED'],
  [openaiSubject, { error: { message: 'maximum context length is 10', code: 400 } }, 'CONTEXT_TOO_LONG'],
  [openaiSubject, { error: { message: 'Something.' } }, 'MODEL_ERROR'],
  [anthropicSubject, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'OVERLOADED'],
  [anthropicSubject, { type: 'error', error: { type: 'rate_limit_error', message: 'Slow.' } }, 'RATE_LIMITED'],
  [anthropicSubject, { type: 'error', error: { type: 'api_error', message: 'Internal.' } }, 'MODEL_ERROR'],
  [anthropicSubject, { type: 'error', error: { type: 'authentication_error', message: 'No.' } }, 'UNAUTHORIZED'],
] as const;

test.for(streamErrors.map(([subject, error, code]) => [subject.title, code, { subject, error }] as const))(
  'PSA-29: an error in the stream is told as one with a status: %s, %s',
  async ([, code, { subject, error }]) => {
    for (const before of [[], begun(subject)]) {
      const outcome = await events(subject, [...before, JSON.stringify(error)]);
      expect(codeOf(outcome), String(outcome.error)).toBe(code);
      expect(String(outcome.error)).toContain(error.error.message);
    }
  },
);

/** What comes of a server that does not stop; whether the connection was closed from this side. */
async function endless(
  { protocol, make }: Subject,
  options: AiSdkOptions,
  write: (out: ProviderOutput) => Promise<void>,
): Promise<{ readonly outcome: Outcome; readonly cutOff: boolean }> {
  const provider = await startProvider(protocol.check, async ({ closed }, out) => {
    const connection = { open: true };
    void closed.then(() => (connection.open = false));
    while (connection.open) await write(out);
  });
  const outcome = await ask(make(provider.origin, { structured: 'text', ...options }));
  const end = await provider.calls[0]?.closed;
  await provider.close();
  return { outcome, cutOff: end?.cutOff ?? false };
}

const line = 'x'.repeat(65_536);

/** Writes the beginning of a stream first. */
function afterBeginning(subject: Subject, text: (first: boolean) => string): (out: ProviderOutput) => Promise<void> {
  let first = true;
  return async (out) => {
    if (first) await sendBytes(out, eventBytes(begun(subject)));
    await out.write(text(first));
    first = false;
  };
}

test.for(both)('PSA-29: a stream without an end is given up, and its connection closed: %s', async ([, subject]) => {
  const { outcome, cutOff } = await endless(
    subject,
    {},
    afterBeginning(subject, () => `: ${line}\n`),
  );
  expect(codeOf(outcome), String(outcome.error)).toBe('MODEL_ERROR');
  expect(String(outcome.error)).toContain('33554432 bytes');
  expect(cutOff).toBe(true);
});

test.for(both)('PSA-29: a line without an end is given up, and its connection closed: %s', async ([, subject]) => {
  const write = afterBeginning(subject, (first) => (first ? `data: "${line}` : line));
  const { outcome, cutOff } = await endless(subject, {}, write);
  expect(codeOf(outcome), String(outcome.error)).toBe('MODEL_ERROR');
  expect(String(outcome.error)).toContain('a line of more than 4194304 bytes');
  expect(cutOff).toBe(true);
});

test.for(both)(
  'PSA-29: a text that does not end is given up where nobody would read more of it: %s',
  async ([, subject]) => {
    const [event = ''] = begun(subject).slice(-1);
    const text = Buffer.from(eventBytes([event]))
      .toString()
      .repeat(500);
    const { outcome, cutOff } = await endless(
      subject,
      {},
      afterBeginning(subject, () => text),
    );
    expect([codeOf(outcome), outcome.answer?.finish]).toEqual(
      outcome.answer === undefined ? ['MODEL_ERROR', undefined] : [undefined, 'length'],
    );
    expect(cutOff).toBe(true);
  },
);

test.for(both)('PSA-29: a body without an end is given up: %s', async ([, subject]) => {
  let begins = true;
  const { outcome, cutOff } = await endless(subject, { stream: false }, async (out) => {
    if (begins) out.head(200, { 'content-type': 'application/json' });
    begins = false;
    await out.write(line);
  });
  expect(codeOf(outcome), String(outcome.error)).toBe('MODEL_ERROR');
  expect(String(outcome.error)).toContain('33554432 bytes');
  expect(cutOff).toBe(true);
});

test.for(both)('PSA-29: a server that says nothing any more is given up after its time: %s', async ([, subject]) => {
  const clock = fakeClock();
  let cutOff: Promise<unknown> | undefined;
  const provider = await startProvider(subject.protocol.check, async ({ closed }, out) => {
    cutOff = closed;
    await sendBytes(out, eventBytes(begun(subject)));
  });
  const model = subject.make(provider.origin, { structured: 'text', clock, timeout: { betweenPieces: 5000 } });
  const { signal } = new AbortController();
  const answer = model.decide(requestOf('Say it.'), {
    signal,
    onText: (text) => void (text.length > 0 && queueMicrotask(() => clock.advance(6000))),
  });
  await expect(answer).rejects.toMatchObject({ code: 'TIMEOUT' });
  expect(await cutOff).toEqual({ cutOff: true });
  await provider.close();
});
