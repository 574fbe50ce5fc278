import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { agentActionKinds, type ModelAnswer, type ModelMessage, parseDecision, SkillsError } from '@skillpack/core';
import { MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { aiSdk } from '../../src/ai-sdk/ai-sdk.js';
import type { AiSdkOptions } from '../../src/ai-sdk/ai-sdk-options.js';
import {
  answering,
  asV3,
  call,
  final,
  finish,
  type Part,
  provider,
  requestOf,
  text,
  thoughts,
  usageOf,
  wholeCall,
} from './mocked-provider.js';

interface Heard extends ModelAnswer {
  readonly pieces: readonly string[];
  readonly thought: readonly string[];
}

async function ask(
  model: MockLanguageModelV4 | MockLanguageModelV3,
  options: AiSdkOptions = {},
  request = requestOf(),
): Promise<Heard> {
  const [pieces, thought]: [string[], string[]] = [[], []];
  const answer = await aiSdk(model, options).decide(request, {
    signal: new AbortController().signal,
    onText: (delta) => pieces.push(delta),
    onReasoning: (delta) => thought.push(delta),
  });
  expect(pieces.join('')).toBe(answer.text);
  expect(thought.join('')).toBe(answer.reasoning ?? '');
  return { ...answer, pieces, thought };
}

const asTools = { structured: 'tools' } as const;

const reading = (answer: ModelAnswer) => parseDecision(answer.text, agentActionKinds);

async function failure(asked: Promise<unknown>): Promise<SkillsError> {
  const error: unknown = await asked.then(
    (answer) => `it answered ${JSON.stringify(answer)}`,
    (reason: unknown) => reason,
  );
  if (SkillsError.is(error)) return error;
  throw new Error(String(error));
}

test('a text arrives as it is written, and nothing in it is taken for a repetition', async () => {
  const answer = await ask(provider(text('ha', 'ha', '', 'ha'), text('ha'), finish()));
  expect(answer).toMatchObject({ text: 'hahahaha', pieces: ['ha', 'ha', 'ha', 'ha'], finish: 'stop' });
});

test('PSA-29: the input of the tool that takes a decision is the decision, as it is written or all at once', async () => {
  const said = final('Three pages.');
  const [start, middle, end] = [said.slice(0, 9), said.slice(9, 20), said.slice(20)];
  const streamed = await ask(provider(call('c', 'decide', start, middle, end), finish('tool-calls')), asTools);
  expect(streamed).toMatchObject({ text: said, pieces: [start, middle, end], finish: 'stop' });
  const whole = await ask(provider(wholeCall('c', 'decide', said), finish('tool-calls')), asTools);
  expect(whole).toMatchObject({ text: said, pieces: [said] });
  const begun = provider(
    { type: 'tool-input-start', id: 'c', toolName: 'decide' },
    wholeCall('c', 'decide', said),
    finish(),
  );
  expect(await ask(begun, asTools)).toMatchObject({ text: said, pieces: [said] });
  // Without a stream, the same.
  const model = provider(call('c', 'decide', said), finish('tool-calls'));
  expect(await ask(model, { ...asTools, stream: false })).toMatchObject({ text: said, pieces: [said] });
});

test('PSA-29: of a call whose input comes twice, what was told is what counts, or nothing does', async () => {
  const twice = (streamed: string, whole: string) =>
    ask(
      provider(
        { type: 'tool-input-start', id: 'c', toolName: 'decide' },
        { type: 'tool-input-delta', id: 'c', delta: streamed },
        wholeCall('c', 'decide', whole),
        finish('tool-calls'),
      ),
      asTools,
    );
  const said = final('Yes.');
  const spaced = JSON.stringify(JSON.parse(said), null, 2);
  expect(await twice(spaced, said)).toMatchObject({ text: spaced });
  expect(await twice(said.slice(0, 30), said)).toMatchObject({ text: said });
  const different = await failure(twice(final('No.'), said));
  expect(different).toMatchObject({ code: 'MODEL_ERROR', message: expect.stringContaining('two different calls') });
  expect(
    await failure(ask(provider(call('c', 'decide', '{}'), call('c', 'shout', '{}'), finish()), asTools)),
  ).toMatchObject({
    code: 'MODEL_ERROR',
  });
  // A provider that repeats a call repeats it.
  expect(
    await ask(provider(call('c', 'decide', said), wholeCall('c', 'decide', said), finish()), asTools),
  ).toMatchObject({
    text: said,
  });
});

test('of a call whose pieces are no JSON, the whole is told; pieces behind the end of one are a mistake', async () => {
  const said = final('Yes.');
  const start = { type: 'tool-input-start', id: 'c', toolName: 'decide' } as const;
  const piece = { type: 'tool-input-delta', id: 'c', delta: 'Yes.' } as const;
  const raw = provider({ ...start, inputEncoding: 'text' }, piece, wholeCall('c', 'decide', said), finish());
  expect(await ask(raw, asTools)).toMatchObject({ text: said, pieces: [said] });
  for (const end of [{ type: 'tool-input-end', id: 'c' } as const, wholeCall('c', 'decide', said)]) {
    const late = ask(provider(start, end, piece, finish()), asTools);
    expect(await failure(late)).toMatchObject({ code: 'MODEL_ERROR' });
  }
});

test('without a stream, a provider may say which of its texts is the answer to a schema', async () => {
  const content = [{ type: 'text', text: 'A draft. ' } as const, { type: 'text', text: final('Yes.') } as const];
  const { finishReason, usage } = { finishReason: { unified: 'stop', raw: 'stop' } as const, usage: usageOf() };
  for (const selected of [final('Yes.'), '']) {
    const model = new MockLanguageModelV4({
      doGenerate: async () => ({ content, finishReason, usage, warnings: [], structuredOutputText: selected }),
    });
    expect((await ask(model, { structured: 'schema', stream: false })).text).toBe(selected);
    expect((await ask(model, { structured: 'text', stream: false })).text).toBe(`A draft. ${final('Yes.')}`);
  }
});

test('who gives up while the prose before a call is told hears nothing of the call', async () => {
  const controller = new AbortController();
  const pieces: string[] = [];
  const model = provider(text('I look.'), wholeCall('c', 'decide', final('x')), finish());
  const asked = aiSdk(model, asTools).decide(requestOf(), {
    signal: controller.signal,
    onReasoning: () => controller.abort(),
    onText: (delta) => pieces.push(delta),
  });
  expect((await failure(asked)).code).toBe('INTERRUPTED');
  expect(pieces).toEqual([]);
});

test('a call of a tool is a decision to call that tool, and one without arguments has an empty input', async () => {
  const options = { nativeTools: true };
  const request = requestOf([], ['shout', 'decide']);
  const model = provider(call('c', 'shout', '{"te', 'xt":"hey"}'), finish('tool-calls'));
  const answer = await ask(model, options, request);
  expect(answer.text).toBe('{"action":{"kind":"call_tool","tool":"shout","input":{"text":"hey"}}}');
  expect(answer.pieces).toHaveLength(4);
  expect(reading(answer)).toMatchObject({ kind: 'decision', repaired: false });
  const [asked] = model.doStreamCalls;
  expect(asked?.toolChoice).toEqual({ type: 'required' });
  expect(asked?.tools?.map(({ name }) => name)).toEqual(['shout', 'decide', 'decide_']);
  for (const none of ['', ' ']) {
    const bare = await ask(provider(call('c', 'shout', none), finish('tool-calls')), options, request);
    expect(reading(bare)).toMatchObject({ kind: 'decision', decision: { action: { tool: 'shout', input: {} } } });
  }
  const decided = await ask(provider(call('c', 'decide_', final('Yes.')), finish('tool-calls')), options, request);
  expect(decided.text).toBe(final('Yes.'));
});

test.for(['{}},"x":{', '{"a":1', '[1]', '"text"', '{}{}', '{},"tool":"delete"'])(
  'PSA-05: arguments that are no object are no call, nor do they get out of it: %s',
  async (input) => {
    const answer = await ask(provider(call('c', 'shout', input), finish('tool-calls')), { nativeTools: true });
    expect(reading(answer)).toMatchObject({ kind: 'rejected' });
  },
);

test('PSA-05: several calls in one answer are several decisions, in whatever order their pieces come, and none is taken', async () => {
  const calls: readonly Part[] = [
    { type: 'tool-input-start', id: 'a', toolName: 'shout' },
    { type: 'tool-input-start', id: 'b', toolName: 'decide' },
    { type: 'tool-input-delta', id: 'b', delta: final('Done.') },
    { type: 'tool-input-delta', id: 'a', delta: '{"text":' },
    wholeCall('b', 'decide', final('Done.')),
    { type: 'tool-input-delta', id: 'a', delta: '"hey"}' },
    wholeCall('a', 'shout', '{"text":"hey"}'),
  ];
  for (const parts of [calls, [...call('a', 'shout', '{"text":"hey"}'), ...call('b', 'decide', final('Done.'))]]) {
    const answer = await ask(provider(parts, finish('tool-calls')), { nativeTools: true });
    expect(answer.text.split('\n')).toEqual([
      '{"action":{"kind":"call_tool","tool":"shout","input":{"text":"hey"}}}',
      final('Done.'),
    ]);
    expect(reading(answer)).toMatchObject({ kind: 'rejected', message: expect.stringContaining('several decisions') });
  }
});

test('prose beside a call goes to the thoughts; JSON beside a call may be another decision, and stays', async () => {
  const said = final('Three.');
  const prose = provider(
    text('I look ', 'at {it}.'),
    call('c', 'decide', said),
    text('That ', 'is all.'),
    finish('tool-calls'),
  );
  const answer = await ask(prose, asTools);
  expect(answer).toMatchObject({ text: said, reasoning: 'I look at {it}.\n\nThat is all.' });
  for (const other of [final('Four.'), `\`\`\`json\n${final('Four.')}\n\`\`\``]) {
    for (const parts of [
      [text('\n', other), call('c', 'decide', said)],
      [call('c', 'decide', said), text(other)],
    ]) {
      expect(reading(await ask(provider(...parts, finish()), asTools))).toMatchObject({ kind: 'rejected' });
    }
  }
  const same = await ask(provider(text(said), call('c', 'decide', said), finish()), asTools);
  expect(reading(same)).toMatchObject({ kind: 'decision', decision: { action: { content: 'Three.' } } });
});

test('a model that is asked for a call and writes its decision as text is understood; JSON is told as it arrives', async () => {
  const said = final('Three.');
  const bare = await ask(provider(text(said.slice(0, 5), said.slice(5)), finish()), asTools);
  expect(bare).toMatchObject({ text: said, pieces: [said.slice(0, 5), said.slice(5)], finish: 'stop' });
  const framed = await ask(provider(text('Here it ', 'is: ', said), finish()), asTools);
  expect(framed).toMatchObject({ text: `Here it is: ${said}`, pieces: [`Here it is: ${said}`] });
  expect(framed.reasoning).toBeUndefined();
});

test('thoughts are told apart, one block from the next by an empty line, before, between and after', async () => {
  const model = provider(
    thoughts('1', 'First ', 'this.'),
    text('{"a'),
    thoughts('2', 'Then that.'),
    text('"}'),
    finish(
      'stop',
      usageOf({ inputTokens: 9, outputTokens: 8, cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 6 }),
    ),
  );
  expect(await ask(model)).toMatchObject({
    text: '{"a"}',
    reasoning: 'First this.\n\nThen that.',
    thought: ['First ', 'this.', '\n\nThen that.'],
    usage: { reasoningTokens: 6 },
  });
});

test.for([
  ['tool-input-start', { type: 'tool-input-start', id: 'c', toolName: 'web_search', providerExecuted: true }],
  ['tool-call', { ...(wholeCall('c', 'web_search', '{}') as object), providerExecuted: true }],
  ['tool-result', { type: 'tool-result', toolCallId: 'c', toolName: 'web_search', result: {} }],
  ['tool-approval-request', { type: 'tool-approval-request', approvalId: '1', toolCallId: 'web_search' }],
] as const)('PSA-05: a tool that the provider runs itself ends the call: %s', async ([, part]) => {
  // Cast: the parts above are of this type.
  const error = await failure(ask(provider(part as Part, text(final('x')), finish())));
  expect(error).toMatchObject({ code: 'REQUEST_REFUSED', message: expect.stringContaining('web_search') });
});

test.for([
  ['stop', 'stop'],
  ['tool-calls', 'stop'],
  ['length', 'length'],
  ['content-filter', 'refused'],
  ['other', 'other'],
  ['something new', 'other'],
] as const)('an answer that ends with %s is told as %s', async ([unified, expected]) => {
  // Cast: providers come to say other words than those that are known.
  expect((await ask(provider(text('{}'), finish(unified as 'stop')))).finish).toBe(expected);
});

test('an early form of the third specification has the reason alone', async () => {
  const model = asV3(provider(text('{}'), { ...finish(), finishReason: 'length' } as unknown as Part));
  expect((await ask(model)).finish).toBe('length');
});

test('an answer that says nothing, or ends within a call, did not end well, whatever the provider says', async () => {
  for (const reason of ['stop', 'tool-calls'] as const) {
    expect(await ask(provider(finish(reason)))).toMatchObject({ text: '', finish: 'other', pieces: [] });
    const cut: readonly Part[] = [
      { type: 'tool-input-start', id: 'c', toolName: 'shout' },
      { type: 'tool-input-delta', id: 'c', delta: '{"text":"hey"}' },
    ];
    const answer = await ask(provider(cut, finish(reason)), { nativeTools: true });
    expect(answer).toMatchObject({ finish: 'other' });
    expect(reading(answer).kind).toBe('rejected');
  }
  const written = call('c', 'shout', '{"text":"hey"}').slice(0, -1);
  expect(reading(await ask(provider(written, finish('tool-calls')), { nativeTools: true })).kind).toBe('decision');
});

test('an answer that breaks off, or is ended by an error, is none, even where its text could be a decision', async () => {
  const said = text(final('Yes.'));
  expect(await failure(ask(provider(said)))).toMatchObject({ code: 'NETWORK_ERROR' });
  expect(await failure(ask(provider(said, finish('interrupted'))))).toMatchObject({ code: 'NETWORK_ERROR' });
  expect(await failure(ask(provider(said, finish('error'))))).toMatchObject({ code: 'MODEL_ERROR' });
  const told: string[] = [];
  const sent = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } as const;
  const asked = aiSdk(provider(said, sent, text('more'), finish())).decide(requestOf(), {
    signal: new AbortController().signal,
    onText: (delta) => told.push(delta),
  });
  expect((await failure(asked)).code).toBe('OVERLOADED');
  expect(told).toEqual([final('Yes.')]);
});

test('what a provider throws is told as its own meaning, or as whoever set it up reads it', async () => {
  const broken = answering(() => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
  });
  for (const stream of [true, false]) {
    expect((await failure(ask(broken, { stream }))).code).toBe('NETWORK_ERROR');
    const readError = (error: unknown) => new SkillsError('RATE_LIMITED', `It said ${String(error)}.`);
    expect(await failure(ask(broken, { stream, readError }))).toMatchObject({
      code: 'RATE_LIMITED',
      message: 'It said TypeError: fetch failed.',
    });
  }
});

test('what a listener throws is thrown as it is, and ends the call', async () => {
  const thrown = new Error('my own');
  const asked = aiSdk(provider(text('a', 'b'), finish())).decide(requestOf(), {
    signal: new AbortController().signal,
    onText: () => {
      throw thrown;
    },
  });
  await expect(asked).rejects.toBe(thrown);
});

test('tokens are whole and never negative; those that were kept are part of the input', async () => {
  const odd = usageOf();
  const of = async (input: object, output: object = {}) => {
    const usage = { inputTokens: { ...odd.inputTokens, ...input }, outputTokens: { ...odd.outputTokens, ...output } };
    return (await ask(provider(text('{}'), finish('stop', usage)))).usage;
  };
  expect(await of({ total: -4, noCache: Number.NaN, cacheRead: 3.4, cacheWrite: 2 })).toEqual({
    inputTokens: 5,
    outputTokens: 5,
    cachedInputTokens: 3,
    cacheWriteTokens: 2,
    reasoningTokens: 0,
  });
  expect(await of({ total: 4, cacheRead: 9, cacheWrite: 9 })).toMatchObject({
    cachedInputTokens: 4,
    cacheWriteTokens: 0,
  });
  expect(await of({}, { total: undefined, text: 3, reasoning: 4 })).toMatchObject({
    outputTokens: 7,
    reasoningTokens: 4,
  });
  const nothing = { ...finish(), usage: undefined } as unknown as Part;
  expect((await ask(provider(text('{}'), nothing))).usage).toEqual({ inputTokens: 0, outputTokens: 0 });
});

test('a call costs what the table of models says, and nothing is said where it says nothing', async () => {
  const model = provider(
    text('{}'),
    finish(
      'stop',
      usageOf({
        inputTokens: 1000,
        outputTokens: 100,
        cachedInputTokens: 400,
        cacheWriteTokens: 0,
        reasoningTokens: 0,
      }),
    ),
  );
  const models = { 'mocked:m-*': { contextTokens: 9000, prices: { input: 2, output: 10, cachedInput: 1 } } };
  expect((await ask(model, { models })).usage.cost).toBeCloseTo((600 * 2 + 400 + 100 * 10) / 1e6, 12);
  expect(aiSdk(model, { models }).contextTokens).toBe(9000);
  expect(aiSdk(model, { models, contextTokens: 70 }).contextTokens).toBe(70);
  expect((await ask(model, { models: {} })).usage).not.toHaveProperty('cost');
  const silent = provider(text('{}'), { ...finish(), usage: undefined } as unknown as Part);
  expect((await ask(silent, { models })).usage).not.toHaveProperty('cost');
  expect(aiSdk(model, { models: {} })).toMatchObject({ name: 'mocked:m-1', contextTokens: 128_000 });
});

const conversation: readonly ModelMessage[] = [
  { role: 'assistant', content: '{"action":{"input":{"text":"a"},"kind":"call_tool","tool":"shout"}}' },
  { role: 'observation', ok: true, content: 'A' },
  { role: 'assistant', content: 'no decision' },
  { role: 'observation', ok: false, content: 'The answer is not JSON.' },
  { role: 'assistant', content: '{"action":{"kind":"load_resource"}}' },
  { role: 'observation', ok: false, content: 'No such file.' },
  { role: 'assistant', content: '{"action":{"kind":"final_answer","content":"Done."}}' },
  { role: 'user', content: 'And now?' },
];

async function promptOf(options: AiSdkOptions): Promise<LanguageModelV4Prompt> {
  const model = provider(text('{}'), finish());
  const request = requestOf(conversation, ['shout']);
  const before = structuredClone(request);
  await ask(model, options, request);
  expect(request).toEqual(before);
  return model.doStreamCalls[0]?.prompt ?? [];
}

test('as text, a conversation is one of texts: what was observed is told as by the user', async () => {
  for (const structured of ['text', 'schema'] as const) {
    const prompt = await promptOf({ structured });
    expect(prompt.map(({ role }) => role).join(' ')).toBe(
      'system user assistant user assistant user assistant user assistant user',
    );
    expect(prompt[5]).toEqual({ role: 'user', content: [{ type: 'text', text: 'The answer is not JSON.' }] });
  }
  const twice = provider(text('{}'), finish());
  await ask(twice, { structured: 'text' }, requestOf([{ role: 'user', content: 'And that.' }]));
  expect(twice.doStreamCalls[0]?.prompt.at(-1)).toEqual({
    role: 'user',
    content: [{ type: 'text', text: 'Say it.\n\nAnd that.' }],
  });
});

test('with tools, earlier decisions go back as calls and what came of them as results, each under its id', async () => {
  const prompt = await promptOf({ nativeTools: true });
  expect(prompt.slice(2)).toEqual([
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'call00001', toolName: 'shout', input: { text: 'a' } }],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'call00001', toolName: 'shout', output: { type: 'text', value: 'A' } },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'no decision' }] },
    { role: 'user', content: [{ type: 'text', text: 'The answer is not JSON.' }] },
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          toolCallId: 'call00005',
          toolName: 'decide',
          input: { action: { kind: 'load_resource' } },
        },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call00005',
          toolName: 'decide',
          output: { type: 'error-text', value: 'No such file.' },
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: '{"action":{"kind":"final_answer","content":"Done."}}' }] },
    { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
  ]);
  const planned =
    '{"action":{"input":{},"kind":"call_tool","tool":"shout"},"plan_update":{"kind":"patch","operations":[]}}';
  const model = provider(text('{}'), finish());
  const saw = { role: 'observation', ok: true, content: 'A' } as const;
  await ask(model, { nativeTools: true }, requestOf([{ role: 'assistant', content: planned }, saw], ['shout']));
  expect(model.doStreamCalls[0]?.prompt[2]?.content).toMatchObject([
    { toolName: 'decide', input: JSON.parse(planned) },
  ]);
  const [, , decided] = await promptOf({ structured: 'tools' });
  expect(decided?.content).toMatchObject([{ toolName: 'decide', input: { action: { tool: 'shout' } } }]);
});

test('what a call is set up with reaches the provider, before what is set for it', async () => {
  const asked = async (options: AiSdkOptions): Promise<LanguageModelV4CallOptions | undefined> => {
    const model = provider(text('{}'), finish());
    await ask(model, options);
    return model.doStreamCalls[0];
  };
  const set = { maxOutputTokens: 9, temperature: 0, seed: 7, headers: { 'x-a': 'b' } };
  expect(await asked(set)).toMatchObject(set);
  expect((await asked({}))?.providerOptions).toMatchObject({ openai: { strictJsonSchema: false } });
  const providerOptions = { openai: { strictJsonSchema: true, store: false }, mine: { a: 1 } };
  expect((await asked({ providerOptions }))?.providerOptions).toMatchObject(providerOptions);
  expect((await asked({ structured: 'text' }))?.providerOptions).toBeUndefined();
  expect(await asked(asTools)).toMatchObject({
    tools: [{ type: 'function', name: 'decide', strict: false }],
    toolChoice: { type: 'tool', toolName: 'decide' },
  });
});

test('models of other specifications, names of models, and options that cannot be are refused when they are handed in', async () => {
  const model = provider();
  const refused = (one: unknown, options?: AiSdkOptions): SkillsError => {
    try {
      aiSdk(one as MockLanguageModelV4, options);
    } catch (error) {
      if (SkillsError.is(error, 'USAGE')) return error;
    }
    throw new Error('It was taken.');
  };
  expect(refused('openai/gpt-5').message).toContain('not its name “openai/gpt-5”');
  expect(refused({ ...model, specificationVersion: 'v2' }).message).toContain('“v2”; expected v3 or v4');
  expect(refused(undefined).message).toContain('expected v3 or v4');
  expect(refused(model, { name: 'two words' }).message).toContain('expected provider:model');
  expect(refused(model, { nativeTools: true, structured: 'text' }).message).toContain('exclude each other');
  expect(refused(model, { structured: 'json' as 'text' }).message).toContain('“json”; expected auto');
  expect(refused(model, { contextTokens: 1.5 }).message).toContain('contextTokens is 1.5');
  expect(refused(model, { timeout: { total: -1 } }).message).toContain('total is -1');
  const odd = new MockLanguageModelV3({ provider: 'my provider.chat', modelId: 'org/model name' });
  expect(aiSdk(odd).name).toBe('my-provider:org/model-name');
  expect(aiSdk(new MockLanguageModelV3({ provider: '', modelId: ' ' })).name).toBe('ai-sdk:unknown');
});
