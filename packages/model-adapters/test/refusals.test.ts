import { gzipSync } from 'node:zlib';
import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import type { AiSdkOptions } from '../src/ai-sdk/ai-sdk-options.js';
import { ask, type Outcome } from './conformance/ask.js';
import { eventBytes } from './conformance/event-bytes.js';
import { anthropicError, chatRefusals, messagesRefusals, openaiError, type Refusal } from './conformance/refusals.js';
import { send } from './conformance/protocol.js';
import { sayInForm } from './conformance/say-in-form.js';
import { type Answer, type Provider, startProvider } from './conformance/start-provider.js';
import { anthropicSubject, openaiSubject, type Subject, sentKey } from './conformance/subjects.js';

const both = [openaiSubject, anthropicSubject].map((subject) => [subject.title, subject] as const);

const answerOf = ({ status, body = '', headers = {} }: Refusal): Answer => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  return async (_, out) => {
    out.head(status, { 'content-type': type, ...headers });
    await out.write(text);
    out.end();
  };
};

async function withProvider<Result>(
  subject: Subject,
  answer: Answer,
  use: (provider: Provider) => Promise<Result>,
): Promise<Result> {
  const provider = await startProvider(subject.protocol.check, answer);
  try {
    return await use(provider);
  } finally {
    await provider.close();
  }
}

async function refused(subject: Subject, refusal: Refusal, options: AiSdkOptions = {}): Promise<SkillsError> {
  const { error, answer } = await withProvider(subject, answerOf(refusal), async ({ origin }) =>
    ask(subject.make(origin, { structured: 'text', ...options })),
  );
  expect(answer).toBeUndefined();
  if (!SkillsError.is(error)) throw new Error(`No error of ours: ${String(error)}`);
  return error;
}

const refusals = [
  ...chatRefusals.map(
    ([what, refusal, code]) => [what, openaiSubject.title, code, { subject: openaiSubject, refusal }] as const,
  ),
  ...messagesRefusals.map(
    ([what, refusal, code]) => [what, anthropicSubject.title, code, { subject: anthropicSubject, refusal }] as const,
  ),
];

test.for(refusals)('PSA-29: %s (%s) is %s, once, with a hint', async ([, , code, { subject, refusal }]) => {
  for (const stream of [true, false]) {
    const calls: Outcome[] = [];
    const asked = await withProvider(subject, answerOf(refusal), async (provider) => {
      calls.push(await ask(subject.make(provider.origin, { structured: 'text', stream })));
      return provider.calls.length;
    });
    const error = calls[0]?.error;
    expect([SkillsError.is(error) && error.code, asked], String(error)).toEqual([code, 1]);
    if (!SkillsError.is(error)) return;
    expect(error.message).toMatch(/^The model (?:openai-compatible|anthropic):\S+ gave no answer: 127\.0\.0\.1:\d+ /u);
    expect(error.hint).toMatch(/\.$/u);
    expect(error.data).toMatchObject({ status: refusal.status });
    expect(error.message).not.toMatch(/<\w/u);
  }
});

test.for(both)('PSA-29: a rate limit says when to come back, in milliseconds: %s', async ([, subject]) => {
  const wait = async (headers: Readonly<Record<string, string>>, status = 429) =>
    (await refused(subject, { status, headers })).data['retryAfter'];
  expect(await wait({ 'retry-after': '20' })).toBe(20_000);
  expect(await wait({ 'retry-after-ms': '150', 'retry-after': '20' })).toBe(150);
  expect(await wait({ 'retry-after': '20' }, 503)).toBe(20_000);
  expect(await wait({ 'x-ratelimit-reset-requests': '1m30s', 'x-ratelimit-reset-tokens': '250ms' })).toBe(90_000);
  expect(await wait({ 'x-ratelimit-reset-requests': '6m0s' }, 500)).toBeUndefined();
  expect(await wait({ 'retry-after': '20' }, 401)).toBeUndefined();
  expect(await wait({ 'retry-after': 'soon' })).toBeUndefined();
  expect(await wait({ 'retry-after': '1e400' })).toBeUndefined();
});

test.for(both)(
  'PSA-29: what a hostile server says of the key reaches neither message, data nor cause: %s',
  async ([, subject]) => {
    const spellings = [
      sentKey,
      encodeURIComponent(sentKey),
      Buffer.from(sentKey).toString('base64'),
      JSON.stringify(sentKey),
    ];
    const bodies: readonly unknown[] = [
      openaiError(`Bad key ${spellings.join(' ')} \u001B[31m\u202Ered`, sentKey, sentKey),
      anthropicError(sentKey, spellings.join('\n')),
      { error: { message: 'x'.repeat(495) + sentKey, type: 'y' } },
      { error: 'y'.repeat(65_536 - 20) + sentKey },
      `<html>${sentKey.repeat(50_000)}`,
      ...[...sentKey].map((_, at) => `<html>${' '.repeat(8192 - 6 - at)}${sentKey}`),
      { detail: [{ msg: sentKey }] },
      `${'['.repeat(30_000)}${sentKey}`,
      sentKey,
    ];
    for (const status of [400, 401, 404, 429, 500]) {
      for (const body of bodies) {
        const error = await refused(subject, { status, body, headers: { 'x-echo': sentKey } });
        const shown = [error.message, error.hint, JSON.stringify(error), ...causes(error), error.stack].join('\n');
        for (const spelling of [...spellings, sentKey.slice(0, 11)]) expect(shown).not.toContain(spelling);
        // eslint-disable-next-line no-control-regex -- finding them is what it is for
        expect(error.message).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202E]/u);
        expect(error.message.length).toBeLessThan(1000);
      }
    }
  },
);

/** All that somebody who prints an error with its causes would see. */
function causes(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const own = Object.entries(error).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return [error.name, error.message, ...own, ...causes(error.cause)];
}

test.for(both)('PSA-29: the prompt stands in no error: %s', async ([, subject]) => {
  const error = await refused(subject, { status: 400, body: openaiError('No.') });
  expect([...causes(error), JSON.stringify(error)].join('\n')).not.toContain('You answer with one action.');
});

test.for(both)(
  'PSA-29: a redirect is not followed, wherever it leads: neither key nor request go there: %s',
  async ([, subject]) => {
    for (const status of [301, 302, 303, 307, 308]) {
      await withProvider(subject, answerOf({ status: 200 }), async (other) => {
        const location = `${other.origin}/v1?token=${sentKey}`;
        const error = await refused(subject, { status, headers: { location } });
        expect(error.code).toBe('REDIRECT_REFUSED');
        expect(error.message).toContain(new URL(other.origin).host);
        expect(error.message).not.toContain(sentKey);
        expect(other.calls).toEqual([]);
      });
    }
  },
);

test.for(both)(
  'PSA-29: a page for people, and JSON where a stream was asked for, are told as that: %s',
  async ([, subject]) => {
    const page = await refused(subject, { status: 200, body: '<html>Sign in to the network</html>' });
    expect([page.code, page.message]).toEqual(['MODEL_ERROR', expect.stringContaining('a page for people')]);
    const json = await refused(subject, { status: 200, body: { hello: 'world' } });
    expect([json.code, json.hint]).toEqual(['MODEL_ERROR', expect.stringContaining('`stream`')]);
    const error = await refused(subject, { status: 200, body: openaiError('Too busy.', 429) });
    expect([error.code, error.message]).toEqual(['RATE_LIMITED', expect.stringContaining('Too busy.')]);
  },
);

test.for(both)(
  'PSA-29: a server that is not there, or breaks off, is NETWORK_ERROR with its host: %s',
  async ([, subject]) => {
    const gone = await startProvider(subject.protocol.check, () => {});
    await gone.close();
    const model = subject.make(gone.origin, { structured: 'text' });
    const { host } = new URL(gone.origin);
    expect((await ask(model)).error).toMatchObject({
      code: 'NETWORK_ERROR',
      message: expect.stringContaining(`${host} refuses connections`) as unknown,
    });
    const { error } = await withProvider(
      subject,
      (_, out) => out.reset(),
      async ({ origin }) => ask(subject.make(origin, { structured: 'text' })),
    );
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', message: expect.stringContaining('broke off') as unknown });
    const unknown = subject.make('https://nowhere.invalid', { structured: 'text' });
    expect((await ask(unknown)).error).toMatchObject({
      code: 'NETWORK_ERROR',
      message: expect.stringContaining('nowhere.invalid') as unknown,
    });
  },
);

test.for(both)(
  'PSA-29: a provider that does not take a form is asked in the next one, and stays with it: %s',
  async ([, subject]) => {
    const decision = '{"action":{"kind":"final_answer","content":"Yes."}}';
    const answer: Answer = async (call, out) => {
      const { body } = call;
      const told = (message: string) => answerOf({ status: 400, body: openaiError(message) })(call, out);
      if ('response_format' in body) return told("'response_format' of type json_schema is not supported");
      if ('tools' in body) return told('"auto" tool choice requires --enable-auto-tool-choice to be set');
      return send(subject.protocol, { call, out }, sayInForm(call, decision));
    };
    await withProvider(subject, answer, async (provider) => {
      const model = subject.make(provider.origin, {});
      expect((await ask(model)).answer?.text).toBe(decision);
      const forms = provider.calls.length;
      expect(forms).toBe(3);
      expect((await ask(model)).answer?.text).toBe(decision);
      expect(provider.calls).toHaveLength(forms + 1);
    });
  },
);

test.for(both)('PSA-29: a refusal without an end is read as far as it says something: %s', async ([, subject]) => {
  const provider = await startProvider(subject.protocol.check, async ({ closed }, out) => {
    const connection = { open: true };
    void closed.then(() => (connection.open = false));
    out.head(500, { 'content-type': 'text/plain' });
    await out.write('It broke. ');
    while (connection.open) await out.write('x'.repeat(65_536));
  });
  const { error } = await ask(subject.make(provider.origin, { structured: 'text' }));
  expect(error).toMatchObject({ code: 'MODEL_ERROR', message: expect.stringContaining('It broke.') as unknown });
  expect(await provider.calls[0]?.closed).toEqual({ cutOff: true });
  await provider.close();
});

test.for(both)('PSA-29: a compressed answer is read, and counts as what it unpacks to: %s', async ([, subject]) => {
  const zipped = async (text: string, stream: boolean) => {
    const type = stream ? 'text/event-stream' : 'application/json';
    const answer: Answer = async (_, out) => {
      out.head(200, { 'content-type': type, 'content-encoding': 'gzip' });
      await out.write(gzipSync(text));
      out.end();
    };
    return withProvider(subject, answer, async ({ origin }) =>
      ask(subject.make(origin, { structured: 'text', stream })),
    );
  };
  const said = { parts: [{ kind: 'text', text: '{"a":1}' }] } as const;
  expect((await zipped(subject.protocol.body(said), false)).answer?.text).toBe('{"a":1}');
  const events = Buffer.from(eventBytes(subject.protocol.events(said))).toString();
  expect((await zipped(events, true)).answer?.text).toBe('{"a":1}');
  for (const stream of [true, false]) {
    const { error } = await zipped(': x\n'.repeat(9_000_000), stream);
    expect(error).toMatchObject({ code: 'MODEL_ERROR', message: expect.stringContaining('33554432') as unknown });
  }
});
