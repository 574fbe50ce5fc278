import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type ModelMessage, SkillsError } from '@skillpack/core';
import type { MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { aiSdk } from '../../src/ai-sdk/ai-sdk.js';
import type { StructuredForm } from '../../src/ai-sdk/ai-sdk-options.js';
import { answering, final, finish, type Part, requestOf, text, thoughts, wholeCall } from './mocked-provider.js';

const formOf = ({ responseFormat, tools }: LanguageModelV4CallOptions): StructuredForm =>
  tools !== undefined ? 'tools' : responseFormat?.type === 'json' ? 'schema' : 'text';

const askedIn = (model: MockLanguageModelV4): readonly string[] => model.doStreamCalls.map(formOf);

const how = () => ({ signal: new AbortController().signal });

/** An error of a provider's package, by its shape. */
function apiError(statusCode: number, message: string, code = 'invalid_request_error'): Error {
  const responseBody = JSON.stringify({ error: { message, type: code, code } });
  const shape = {
    name: 'AI_APICallError',
    url: 'http://127.0.0.1/v1',
    requestBodyValues: {},
    statusCode,
    responseBody,
  };
  return Object.assign(new Error(message), shape);
}

const answer = (options: LanguageModelV4CallOptions): readonly Part[] =>
  formOf(options) === 'tools'
    ? [wholeCall('c', 'decide', final('x')), finish('tool-calls')]
    : [...text(final('x')), finish()];

/** A provider that takes only these forms. */
function taking(taken: readonly StructuredForm[], refuse: (form: StructuredForm) => unknown): MockLanguageModelV4 {
  return answering((options) => {
    const form = formOf(options);
    if (taken.includes(form)) return answer(options);
    throw refuse(form);
  });
}

const says: Readonly<Record<StructuredForm, string>> = {
  schema: "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
  tools: 'registry.ollama.ai/library/gemma:latest does not support tools',
  text: 'Bad request.',
};

const refuses = (form: StructuredForm): Error => apiError(400, says[form]);

test('PSA-29: a provider that does not take a form is asked in the next one, and in that one from then on', async () => {
  const withoutSchema = taking(['tools', 'text'], refuses);
  const model = aiSdk(withoutSchema);
  for (let time = 0; time < 2; time += 1) expect((await model.decide(requestOf(), how())).text).toBe(final('x'));
  expect(askedIn(withoutSchema)).toEqual(['schema', 'tools', 'tools']);
  const textOnly = taking(['text'], refuses);
  const plain = aiSdk(textOnly);
  for (let time = 0; time < 2; time += 1) expect((await plain.decide(requestOf(), how())).text).toBe(final('x'));
  expect(askedIn(textOnly)).toEqual(['schema', 'tools', 'text', 'text']);
  // Another adapter knows nothing of that.
  await aiSdk(textOnly).decide(requestOf(), how());
  expect(askedIn(textOnly).slice(4)).toEqual(['schema', 'tools', 'text']);
});

test.for([
  ['a message of OpenAI', apiError(400, says.schema)],
  ['a message of Groq', apiError(400, 'This model does not support response format `json_schema`.')],
  ['Anthropic, of a model that thinks', apiError(400, 'Thinking may not be enabled when tool_choice forces tool use.')],
  ['a grammar', apiError(400, 'Failed to parse grammar.')],
  ['a validator that names the field', validation()],
  ['OpenRouter', apiError(404, 'No endpoints found that support tool use.')],
  ['the package of the provider', unsupported('tool choice type: tool')],
  ['a part of the stream', { error: { message: says.schema, code: 400 } }],
])('PSA-29: what says that a form is not taken: %s', async ([, error]) => {
  const model = taking(['tools', 'text'], () => error);
  expect((await aiSdk(model).decide(requestOf(), how())).text).toBe(final('x'));
});

function validation(): Error {
  const detail = [{ type: 'extra_forbidden', loc: ['body', 'response_format'], msg: 'Extra inputs are not permitted' }];
  return Object.assign(apiError(422, 'Unprocessable Entity'), { responseBody: JSON.stringify({ detail }) });
}

function repeated(): Error {
  const detail = [
    { loc: ['body', 'messages', 0], msg: 'Input should be a list', input: 'My "response_format" and tools' },
  ];
  return Object.assign(apiError(422, 'Unprocessable Entity'), { responseBody: JSON.stringify({ detail }) });
}

function unsupported(functionality: string): Error {
  return Object.assign(new Error('not supported'), { name: 'AI_UnsupportedFunctionalityError', functionality });
}

test.for([
  ['another 400', apiError(400, 'messages: at least one message is required')],
  [
    'a window that is too small',
    apiError(
      400,
      'maximum context length is 8192 tokens: 9000 in the messages, 500 in the tools',
      'context_length_exceeded',
    ),
  ],
  ['a wrong key', apiError(401, 'Your key has no access to tools and response_format.')],
  ['a limit', apiError(429, 'Too many tools calls with response_format.')],
  ['a server that fails', apiError(500, 'response_format broke it')],
  [
    'an answer that did not fit the schema',
    apiError(400, 'Failed to generate JSON for response_format.', 'json_validate_failed'),
  ],
  ['a body that repeats the request', repeated()],
  ['an error of our own', new SkillsError('REQUEST_REFUSED', 'response_format is not taken.')],
])('PSA-29: no other error moves a model on: %s', async ([, error]) => {
  const model = taking(['text'], () => error);
  await expect(aiSdk(model).decide(requestOf(), how())).rejects.toBeInstanceOf(Error);
  expect(askedIn(model)).toEqual(['schema']);
});

test('PSA-29: where no form is taken, the model stays where it was, and the plainest request says why', async () => {
  let taken: readonly StructuredForm[] = [];
  const model = answering((options) => {
    if (taken.includes(formOf(options))) return answer(options);
    throw refuses(formOf(options));
  });
  const adapter = aiSdk(model);
  await expect(adapter.decide(requestOf(), how())).rejects.toMatchObject({
    message: expect.stringContaining('Bad request.'),
  });
  taken = ['schema'];
  await adapter.decide(requestOf(), how());
  expect(askedIn(model)).toEqual(['schema', 'tools', 'text', 'schema']);
});

test('PSA-29: one form that was chosen is the only one', async () => {
  for (const structured of ['schema', 'tools'] as const) {
    const model = taking(['text'], refuses);
    await expect(aiSdk(model, { structured }).decide(requestOf(), how())).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
    });
    expect(askedIn(model)).toEqual([structured]);
  }
  const native = taking(['text'], refuses);
  await expect(aiSdk(native, { nativeTools: true }).decide(requestOf(), how())).rejects.toMatchObject({
    code: 'REQUEST_REFUSED',
  });
  expect(askedIn(native)).toEqual(['tools']);
});

test('PSA-29: calls at the same time move on once, and none sets another back', async () => {
  const model = taking(['tools', 'text'], refuses);
  const adapter = aiSdk(model);
  const calls = Array.from({ length: 8 }, async () => adapter.decide(requestOf(), how()));
  for (const { text: said } of await Promise.all(calls)) expect(said).toBe(final('x'));
  expect(askedIn(model).filter((form) => form === 'text')).toEqual([]);
  await adapter.decide(requestOf(), how());
  expect(askedIn(model).at(-1)).toBe('tools');
});

test('a call that began before the others moved on goes on from where they are', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let first = true;
  const model = answering(async (options) => {
    const form = formOf(options);
    if (form === 'text') return answer(options);
    const waits = first;
    first = false;
    if (waits) await held;
    throw refuses(form);
  });
  const adapter = aiSdk(model);
  const late = adapter.decide(requestOf(), how());
  await adapter.decide(requestOf(), how());
  release();
  await late;
  expect(askedIn(model)).toEqual(['schema', 'schema', 'tools', 'text', 'text']);
});

test('a call whose form is taken late does not set back one that moved on', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let calls = 0;
  const model = answering(async (options) => {
    calls += 1;
    const first = calls === 1;
    if (first) await held;
    else if (formOf(options) === 'schema') throw refuses('schema');
    return answer(options);
  });
  const adapter = aiSdk(model);
  const late = adapter.decide(requestOf(), how());
  await adapter.decide(requestOf(), how());
  release();
  await late;
  await adapter.decide(requestOf(), how());
  expect(askedIn(model)).toEqual(['schema', 'schema', 'tools', 'tools']);
});

test.for([
  'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
  'Function call is missing a thought_signature in functionCall parts.',
  'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
])('PSA-29: a provider that wants thoughts back with earlier calls is told of these as text: %s', async (message) => {
  const decided: readonly ModelMessage[] = [
    { role: 'assistant', content: '{"action":{"kind":"call_tool","tool":"shout","input":{}}}' },
    { role: 'observation', ok: true, content: 'HEY' },
  ];
  const hasCall = ({ prompt }: LanguageModelV4CallOptions): boolean => prompt.some(({ role }) => role === 'tool');
  const model = answering((options) => {
    if (hasCall(options)) throw apiError(400, message);
    return answer(options);
  });
  for (const options of [{ nativeTools: true }, { structured: 'tools' }] as const) {
    const from = model.doStreamCalls.length;
    const adapter = aiSdk(model, options);
    await adapter.decide(requestOf(), how());
    for (let time = 0; time < 2; time += 1) await adapter.decide(requestOf(decided), how());
    const calls = model.doStreamCalls.slice(from);
    expect(calls.map(hasCall)).toEqual([false, true, false, false]);
    expect(calls.map(formOf)).toEqual(['tools', 'tools', 'tools', 'tools']);
  }
});

test('a server that fails while it thinks is not told of earlier calls in another way', async () => {
  const decided: readonly ModelMessage[] = [
    { role: 'assistant', content: '{"action":{"kind":"call_tool","tool":"shout","input":{}}}' },
    { role: 'observation', ok: true, content: 'HEY' },
  ];
  const model = answering(() => {
    throw apiError(500, 'thinking failed');
  });
  const asked = aiSdk(model, { nativeTools: true }).decide(requestOf(decided), how());
  await expect(asked).rejects.toMatchObject({ code: 'MODEL_ERROR' });
  expect(model.doStreamCalls).toHaveLength(1);
});

test('a warning that a form was left out moves the next call on; this one has its answer', async () => {
  const warnings = [
    { type: 'unsupported', feature: 'responseFormat' } as const,
    { type: 'other', message: 'tools' } as const,
  ];
  const model = answering((options) => [
    {
      type: 'stream-start',
      warnings: formOf(options) === 'schema' ? warnings : [{ type: 'unsupported', feature: 'toolChoice' }],
    },
    ...answer(options),
  ]);
  for (const stream of [true, false]) {
    const adapter = aiSdk(model, { stream });
    for (let time = 0; time < 3; time += 1) expect((await adapter.decide(requestOf(), how())).text).toBe(final('x'));
  }
  expect(askedIn(model)).toEqual(['schema', 'tools', 'tools']);
  expect(model.doGenerateCalls.map(formOf)).toEqual(['schema', 'tools', 'tools']);
});

test('what was told cannot be taken back: a refusal behind it is an error', async () => {
  for (const before of [text('{"a'), thoughts('r', 'I think')]) {
    const error = { type: 'error', error: { error: { message: says.schema, code: 400 } } } as const;
    const model = answering(() => [...before, error, finish()]);
    await expect(aiSdk(model).decide(requestOf(), how())).rejects.toBeInstanceOf(Error);
    expect(askedIn(model)).toEqual(['schema']);
  }
});
