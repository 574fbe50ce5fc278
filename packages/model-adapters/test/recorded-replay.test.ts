import { SkillsError, type Digest, type ModelAdapter, type ModelAnswer } from '@skillpack/core';
import { memoryCassette, recorded, type MemoryCassette, type RecordedOptions } from '@skillpack/model-adapters';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calling, decided, errorOf, requestOf, saw, user } from './recorded-ground.js';

const usage = { inputTokens: 120, outputTokens: 30, cachedInputTokens: 100, reasoningTokens: 12, cost: 0.000123 };

/** A model that answers so, one answer a call; an error is thrown. */
function answering(answers: readonly (string | Partial<ModelAnswer> | Error)[]): ModelAdapter & { asked: number } {
  const left = [...answers];
  return {
    name: 'mine:one',
    contextTokens: 9000,
    asked: 0,
    async decide() {
      this.asked += 1;
      const next = left.shift();
      if (next instanceof Error) throw next;
      if (next === undefined) throw new Error('no answer is left');
      return { text: '', finish: 'stop', usage, ...(typeof next === 'string' ? { text: next } : next) };
    },
  };
}

const neverAsked = answering([]);

/** Records these requests, and returns the cassette. */
async function record(
  requests: readonly ReturnType<typeof requestOf>[],
  answers: readonly (string | Partial<ModelAnswer> | Error)[],
  options: RecordedOptions = {},
): Promise<MemoryCassette> {
  const cassette = memoryCassette();
  const model = await recorded(answering(answers), cassette, { ...options, mode: 'record' });
  for (const request of requests) await model.decide(request, calling()).catch(() => undefined);
  await model.close();
  return cassette;
}

const ask = requestOf([user('What is in a.pdf?')]);

test('PSA-29: a recorded answer is replayed whole: text, reasoning, usage, cost and how it ended; no model is asked', async () => {
  const answer = { text: '{"action":1}', reasoning: 'Hm.\nYes.', finish: 'length' } as const;
  const cassette = await record([ask], [answer]);
  const replaying = await recorded(neverAsked, cassette);
  expect(await replaying.decide(ask, calling())).toEqual({ ...answer, usage });
  expect(neverAsked.asked).toBe(0);
  const withoutModel = await recorded(undefined, cassette);
  expect(withoutModel).toMatchObject({ name: 'mine:one', contextTokens: 9000 });
  expect(await withoutModel.decide(ask, calling())).toEqual({ ...answer, usage });
});

test('PSA-29: a replayed text arrives in pieces of whole code points, the same each time, its reasoning before', async () => {
  const text = 'Über 漢字 \u{1F600} '.repeat(20);
  const cassette = await record([ask], [{ text, reasoning: text }]);
  const pieces = async (seed?: number): Promise<string[]> => {
    const told: string[] = [];
    const model = await recorded(undefined, cassette, { chunks: { seed } });
    const onText = (piece: string): number => told.push(`t${piece}`);
    await model.decide(ask, calling({ onText, onReasoning: (piece) => told.push(`r${piece}`) }));
    return told;
  };
  const told = await pieces();
  const of = (kind: string): string[] => told.filter((piece) => piece.startsWith(kind)).map((piece) => piece.slice(1));
  expect([of('t').join(''), of('r').join('')]).toEqual([text, text]);
  expect(told.findLastIndex((piece) => piece.startsWith('r'))).toBeLessThan(
    told.findIndex((piece) => piece.startsWith('t')),
  );
  expect(of('t').length).toBeGreaterThan(10);
  expect(await pieces()).toEqual(told);
  expect(await pieces(7)).not.toEqual(told);
});

test('PSA-29: the same request gets its answers in the order in which they were recorded, and none beyond the last', async () => {
  const other = requestOf([user('And in b.pdf?')]);
  const cassette = await record([ask, other, ask], ['first', 'other', 'second']);
  const model = await recorded(undefined, cassette);
  const text = async (request = ask): Promise<string> => (await model.decide(request, calling())).text;
  expect([await text(), await text(), await text(other)]).toEqual(['first', 'second', 'other']);
  const error = await errorOf(model.decide(ask, calling()));
  expect(error.code).toBe('RECORDING_NOT_FOUND');
  expect(error.message).toBe(
    'The cassette in memory holds 2 answers to this request of mine:one with 1 message, and it is made once more.',
  );
  const again = await recorded(undefined, cassette);
  expect((await again.decide(ask, calling())).text).toBe('first');
  const together = await recorded(undefined, cassette);
  const both = await Promise.all([ask, ask].map((request) => together.decide(request, calling())));
  expect(both.map(({ text: said }) => said)).toEqual(['first', 'second']);
});

test('PSA-29: a replay that was cancelled counts as none: whoever asks again gets the same answer', async () => {
  const model = await recorded(undefined, await record([ask], ['a long answer that takes more than one piece']));
  const controller = new AbortController();
  const call = model.decide(ask, { signal: controller.signal, onText: () => controller.abort() });
  expect((await errorOf(call)).code).toBe('INTERRUPTED');
  expect((await errorOf(model.decide(ask, { signal: AbortSignal.abort() }))).code).toBe('INTERRUPTED');
  expect((await model.decide(ask, calling())).text).toBe('a long answer that takes more than one piece');
});

test('PSA-29: a replay that was cancelled while its answer was looked up counts as none either', async () => {
  const model = await recorded(undefined, await record([ask], ['the answer']));
  const controller = new AbortController();
  const call = errorOf(model.decide(ask, { signal: controller.signal }));
  controller.abort();
  expect((await call).code).toBe('INTERRUPTED');
  expect((await model.decide(ask, calling())).text).toBe('the answer');
});

test('PSA-29: a replayed model can be taken apart, as any adapter', async () => {
  const { decide, ...rest } = await recorded(undefined, await record([ask], ['the answer']));
  expect(rest).toMatchObject({ name: 'mine:one', contextTokens: 9000 });
  expect((await decide(ask, calling())).text).toBe('the answer');
});

test('PSA-29: an answer without a text, or with numbers that are none, spoils no cassette', async () => {
  const odd = { inputTokens: Number.NaN, outputTokens: -1, cachedInputTokens: 0.5, cost: Number.NaN };
  const answers = [
    { text: 5 as unknown as string }, // Cast: adapters come from anywhere.
    { text: 'yes', usage: odd, finish: 'done' as 'stop' }, // Cast: likewise.
  ];
  const model = await recorded(undefined, await record([ask, ask], answers));
  expect(await model.decide(ask, calling())).toEqual({
    text: 'yes',
    finish: 'other',
    usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
  });
});

test('PSA-29: an error of the provider is replayed as that error; one that is none of a provider is not recorded', async () => {
  const limited = new SkillsError('RATE_LIMITED', 'Too many.', {
    hint: 'Wait.',
    data: { retryAfter: 1500, secret: 'x' },
  });
  const cassette = await record([ask, ask, ask], [limited, new SkillsError('IO_ERROR', 'The disk.'), 'then']);
  const model = await recorded(undefined, cassette);
  const error = await errorOf(model.decide(ask, calling()));
  expect(error).toMatchObject({
    code: 'RATE_LIMITED',
    message: 'Too many.',
    hint: 'Wait.',
    data: { retryAfter: 1500 },
  });
  expect(error.data).not.toHaveProperty('secret');
  expect((await model.decide(ask, calling())).text).toBe('then');
});

test('PSA-29: whatever of a request says something to the model makes it another request', async () => {
  const cassette = await record([requestOf([user('a'), decided('b'), saw('c')])], ['recorded']);
  const model = await recorded(undefined, cassette);
  const same = requestOf([user('a'), decided('b'), saw('c')]);
  for (const other of [
    requestOf([user('a'), decided('b'), saw('c', false)]),
    requestOf([user('a'), decided('b'), user('c')]),
    requestOf([user('a'), decided('b'), saw('d')]),
    requestOf([user('a'), decided('b'), saw('c'), user('d')]),
    requestOf(same.messages, { system: 'Another.' }),
    requestOf(same.messages, { tools: [] }),
    requestOf(same.messages, { actions: ['final_answer'] }),
    requestOf(same.messages, { answerSchema: {} }),
  ]) {
    expect((await errorOf(model.decide(other, calling()))).code).toBe('RECORDING_NOT_FOUND');
  }
  expect((await model.decide(same, calling())).text).toBe('recorded');
});

test('PSA-29: a recording answers for a model of another name only where that is asked for', async () => {
  const cassette = await record([ask], ['recorded']);
  const other = { ...answering([]), name: 'mine:two' };
  const error = await errorOf((await recorded(other, cassette)).decide(ask, calling()));
  expect(error.message).toContain('differs:\nmodel, line 1:\n- mine:one\n+ mine:two');
  const model = await recorded(other, cassette, { anyModel: true });
  expect(model.name).toBe('mine:two');
  expect((await model.decide(ask, calling())).text).toBe('recorded');
});

test('PSA-29: a recording that is made again from the same answers is the same, byte for byte', async () => {
  const requests = [ask, requestOf([...ask.messages, decided('x'), saw('y')]), ask];
  const first = await record(requests, ['x', new SkillsError('OVERLOADED', 'Full.'), 'z']);
  const second = await record(requests, ['x', new SkillsError('OVERLOADED', 'Full.'), 'z']);
  expect(first.text).toBe(second.text);
  expect(first.text).toContain('"kind":"error"');
});

test('PSA-29: a conversation grows by its new messages alone, and long texts stand once', async () => {
  const system = 'S'.repeat(5000);
  let messages = [user('go')];
  const requests = Array.from({ length: 40 }, (_, turn) => {
    messages = [...messages, decided(`decision ${turn}`), saw(`seen ${turn} ${'.'.repeat(500)}`)];
    return requestOf(messages, { system });
  });
  const cassette = await record(requests, requests.map(String));
  expect(cassette.text?.split(system)).toHaveLength(2);
  expect(cassette.text?.split('seen 0 ')).toHaveLength(2);
  expect(cassette.text?.length).toBeLessThan(40 * 1800 + 10_000);
  const model = await recorded(undefined, cassette);
  for (const request of requests.toReversed()) await model.decide(request, calling());
});

test('PSA-29: what was not recorded is asked and added, and what was is not asked again', async () => {
  const cassette = await record([ask], ['recorded']);
  const model = answering(['new', 'newer']);
  const extending = await recorded(model, cassette, { mode: 'record-missing' });
  const other = requestOf([...ask.messages, decided('recorded'), saw('a page')]);
  expect((await extending.decide(ask, calling())).text).toBe('recorded');
  expect((await extending.decide(other, calling())).text).toBe('new');
  expect((await extending.decide(ask, calling())).text).toBe('newer');
  await extending.close();
  expect(model.asked).toBe(2);
  const replaying = await recorded(undefined, cassette);
  const texts = [];
  for (const request of [ask, ask, other]) texts.push((await replaying.decide(request, calling())).text);
  expect(texts).toEqual(['recorded', 'newer', 'new']);
  expect(cassette.text?.match(/"kind":"cassette"/gu)).toHaveLength(1);
  expect(cassette.text?.match(/"kind":"text"/gu)).toHaveLength(1);
});

test('PSA-29: a recording that was not closed, or was discarded, leaves the old one as it was', async () => {
  const cassette = await record([ask], ['old']);
  const before = cassette.text;
  for (const end of ['never', 'discard'] as const) {
    const model = await recorded(answering(['new']), cassette, { mode: 'record' });
    await model.decide(ask, calling());
    if (end === 'discard') await model.discard();
    expect(cassette.text).toBe(before);
  }
});

test('PSA-29: what could not be written fails the call and the recording, and the old one stays', async () => {
  const cassette = await record([ask], ['old']);
  const full = new SkillsError('IO_ERROR', 'No space is left.');
  const broken = {
    ...cassette,
    write: async (how: 'anew' | 'extend', first: string) => ({
      ...(await cassette.write(how, first)),
      append: async () => Promise.reject(full),
    }),
  };
  const model = await recorded(answering(['new', 'newer']), broken, { mode: 'record' });
  expect(await errorOf(model.decide(ask, calling()))).toBe(full);
  expect(await errorOf(model.decide(ask, calling()))).toBe(full);
  expect(await errorOf(model.close())).toBe(full);
  expect((await (await recorded(undefined, cassette)).decide(ask, calling())).text).toBe('old');
});

test('PSA-29: a recording that was made with other skills is refused before it answers, with both digests', async () => {
  const digest = (digit: string): Digest => `sha256:${digit.repeat(64)}` as Digest; // Cast: a text of the right form.
  const then = { pdf: digest('a'), csv: digest('b'), notes: digest('c') };
  const cassette = await record([ask], ['recorded'], { skills: then });
  const replay = async (options: RecordedOptions): Promise<string> =>
    (await (await recorded(undefined, cassette, options)).decide(ask, calling())).text;
  expect(await replay({ skills: () => ({ notes: digest('c'), csv: digest('b'), pdf: digest('a') }) })).toBe('recorded');
  expect(await replay({})).toBe('recorded');
  const now = { pdf: digest('d'), notes: digest('c'), zip: digest('e') };
  const error = await errorOf(recorded(undefined, cassette, { skills: async () => now }));
  expect(error.code).toBe('RECORDING_STALE');
  expect(error.message).toBe(
    `The cassette in memory was recorded with other skills: csv was ${digest('b')}, and is not there now; ` +
      `pdf was ${digest('a')}, and is ${digest('d')} now; zip was not there, and is ${digest('e')} now.`,
  );
  expect(error.data['skills']).toHaveLength(3);
  expect(await replay({ skills: now, stale: 'allow' })).toBe('recorded');
  const extending = recorded(answering([]), cassette, { skills: now, mode: 'record-missing' });
  expect((await errorOf(extending)).code).toBe('RECORDING_STALE');
});

test('PSA-29: without a cassette there is nothing to replay, and without a model nothing to record', async () => {
  expect((await errorOf(recorded(undefined, memoryCassette()))).code).toBe('RECORDING_NOT_FOUND');
  expect((await errorOf(recorded(undefined, memoryCassette(), { mode: 'record' }))).code).toBe('USAGE');
  expect((await errorOf(recorded(undefined, memoryCassette(), { mode: 'record-missing' }))).code).toBe('USAGE');
});

test('PSA-29: whatever texts a conversation has, what was recorded is found again', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\uD800', '\u0000\u2028\u202E', '{"a":"\\u006b"}'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 6 }), text, text, async (contents, system, said) => {
      const messages = contents.map((content, index) => (index % 2 === 0 ? user(content) : decided(content)));
      const request = requestOf(messages, { system });
      const cassette = await record([request], [{ text: said, reasoning: said }]);
      expect(cassette.text?.endsWith('\n')).toBe(true);
      const answer = await (await recorded(undefined, cassette)).decide(request, calling());
      expect([answer.text, answer.reasoning]).toEqual([said.toWellFormed(), said.toWellFormed()]);
    }),
  );
});
