import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { agentActionKinds, decisionSchema, parseDecision } from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { expect, test } from 'vitest';
import { aiSdk } from '../../src/ai-sdk/ai-sdk.js';
import { final, requestOf } from './mocked-provider.js';

type Body = Readonly<Record<string, unknown>>;

interface Served {
  readonly url: string;
  readonly bodies: Body[];
  /** Resolves when the other side closes a connection before the answer is whole. */
  readonly closed: Promise<void>;
  stop(): Promise<void>;
}

async function serve(
  answer: (response: ServerResponse, body: Body, request: IncomingMessage) => void,
): Promise<Served> {
  const bodies: Body[] = [];
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => void (close = resolve));
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) close();
    });
    void textOf(request).then((sent) => {
      // Cast: clients send an object.
      const body = JSON.parse(sent) as Body;
      bodies.push(body);
      answer(response, body, request);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // Cast: it listens on a port.
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/v1`, bodies, closed, stop };
}

const events = (response: ServerResponse, ...data: readonly object[]): void => {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const one of data) response.write(`data: ${JSON.stringify(one)}\n\n`);
};

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'c1',
  choices: [{ index: 0, delta, finish_reason }],
});

const openai = (url: string, structured = true) =>
  createOpenAICompatible({ name: 'local', baseURL: url, supportsStructuredOutputs: structured })('m');

const how = () => ({ signal: new AbortController().signal });

test('PSA-29: to a server of chat completions the schema goes as it is, and is not held to strictly', async () => {
  const served = await serve((response) => {
    events(response, chunk({ content: final('x') }), chunk({}, 'stop'));
    response.end('data: [DONE]\n\n');
  });
  try {
    for (const structured of ['schema', 'tools'] as const) {
      await aiSdk(openai(served.url), { structured }).decide(requestOf(), how());
    }
    const schema = decisionSchema(agentActionKinds);
    const [asSchema, asTools] = served.bodies;
    expect(asSchema?.['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'decision', strict: false, schema },
    });
    expect(asTools).toMatchObject({
      tools: [{ type: 'function', function: { name: 'decide', strict: false, parameters: schema } }],
      tool_choice: { type: 'function', function: { name: 'decide' } },
    });
  } finally {
    await served.stop();
  }
});

test('PSA-29: a server that answers 400 to a schema is asked with a tool, whose arguments are the decision', async () => {
  const said = final('Über \u{1F600}');
  const served = await serve((response, body) => {
    if ('response_format' in body) {
      const error = {
        message: "Invalid parameter: 'response_format' is not supported.",
        type: 'invalid_request_error',
      };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      return;
    }
    const deltas = [...said].map((argument, index) =>
      chunk({
        tool_calls: [
          {
            index: 0,
            ...(index === 0 ? { id: 'call_1' } : {}),
            function: { ...(index === 0 ? { name: 'decide' } : {}), arguments: argument },
          },
        ],
      }),
    );
    events(response, ...deltas, chunk({}, 'tool_calls'));
    response.end('data: [DONE]\n\n');
  });
  try {
    const model = aiSdk(openai(served.url));
    const pieces: string[] = [];
    const answer = await model.decide(requestOf(), { ...how(), onText: (delta) => pieces.push(delta) });
    expect(answer).toMatchObject({ text: said, finish: 'stop' });
    expect(pieces.length).toBeGreaterThan(20);
    expect(pieces.join('')).toBe(said);
    await model.decide(requestOf(), how());
    expect(served.bodies.map((body) => 'response_format' in body)).toEqual([true, false, false]);
  } finally {
    await served.stop();
  }
});

test('a server that has no schemas is warned of by its package: it answers, and is asked with a tool from then on', async () => {
  const served = await serve((response) => {
    events(response, chunk({ content: final('x') }), chunk({}, 'stop'));
    response.end('data: [DONE]\n\n');
  });
  try {
    const model = aiSdk(openai(served.url, false));
    for (let time = 0; time < 2; time += 1) expect((await model.decide(requestOf(), how())).text).toBe(final('x'));
    expect(served.bodies.map(({ response_format: format }) => format)).toEqual([{ type: 'json_object' }, undefined]);
    expect(served.bodies[1]).toHaveProperty('tools');
  } finally {
    await served.stop();
  }
});

test('whoever gives up, or runs out of time, closes the connection', async () => {
  const messages = { cancel: 'was cancelled', time: 'went on with no answer', listener: 'mine' };
  for (const [end, message] of Object.entries(messages)) {
    const served = await serve((response) =>
      events(response, chunk({ reasoning_content: 'hm' }), chunk({ content: '{"a' })),
    );
    try {
      const controller = new AbortController();
      const clock = fakeClock();
      const asked = aiSdk(openai(served.url), { timeout: { betweenPieces: 30 }, clock }).decide(requestOf(), {
        signal: controller.signal,
        onText: () => {
          if (end === 'cancel') controller.abort();
          if (end === 'time') clock.advance(31);
          if (end === 'listener') throw new Error('mine');
        },
      });
      await expect(asked).rejects.toThrow(message);
      await served.closed;
    } finally {
      await served.stop();
    }
  }
});

test('a connection that breaks off in the middle of a decision brings none', async () => {
  const served = await serve((response) => {
    events(response, chunk({ content: final('x') }));
    setImmediate(() => response.destroy());
  });
  try {
    await expect(aiSdk(openai(served.url)).decide(requestOf(), how())).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  } finally {
    await served.stop();
  }
});

/** What a server of Anthropic sends of a block. */
function block(index: number, content_block: object, ...deltas: readonly object[]): readonly object[] {
  return [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

test.for(['claude-3-5-haiku-latest', 'claude-sonnet-4-5', 'claude-opus-4-1', 'claude-next'])(
  'PSA-29: %s is asked for a decision by a forced tool, as our schema has an open object, and thinks apart',
  async (name) => {
    const said = final('Three.');
    const served = await serve((response, { tools }) => {
      // Cast: this is what the package sends.
      const [tool] = (tools ?? []) as readonly { readonly name: string }[];
      const usage = { input_tokens: 10, cache_read_input_tokens: 30, cache_creation_input_tokens: 5, output_tokens: 1 };
      const message = {
        type: 'message',
        id: 'm',
        role: 'assistant',
        model: name,
        content: [],
        stop_reason: null,
        usage,
      };
      events(
        response,
        { type: 'message_start', message },
        ...block(0, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: 'Count.' }),
        ...block(
          1,
          { type: 'tool_use', id: 'toolu_1', name: tool?.name, input: {} },
          ...[said.slice(0, 9), said.slice(9)].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
        ),
        {
          type: 'message_delta',
          delta: { stop_reason: 'tool_use', stop_sequence: null },
          usage: { output_tokens: 20 },
        },
        { type: 'message_stop' },
      );
      response.end();
    });
    try {
      const model = createAnthropic({ apiKey: 'key', baseURL: served.url })(name);
      for (const options of [{}, { structured: 'tools' }, { nativeTools: true }] as const) {
        const pieces: string[] = [];
        const request = requestOf([], []);
        const answer = await aiSdk(model, options).decide(request, { ...how(), onText: (piece) => pieces.push(piece) });
        expect(answer).toMatchObject({
          text: said,
          finish: 'stop',
          reasoning: 'Count.',
          usage: { inputTokens: 45, cachedInputTokens: 30, cacheWriteTokens: 5, outputTokens: 20 },
        });
        expect(pieces).toEqual([said.slice(0, 9), said.slice(9)]);
        expect(parseDecision(answer.text, agentActionKinds).kind).toBe('decision');
      }
      const [first, second] = served.bodies;
      expect(first).toMatchObject({ tools: [{ name: 'json', input_schema: decisionSchema(agentActionKinds) }] });
      expect(first).not.toHaveProperty('output_config');
      expect(second).toMatchObject({
        tools: [{ name: 'decide' }],
        tool_choice: { type: 'tool', name: 'decide', disable_parallel_tool_use: true },
      });
    } finally {
      await served.stop();
    }
  },
);

test('PSA-29: a model that rejects a forced call is asked without force, and its text is read', async () => {
  const said = final('Three.');
  const served = await serve((response) => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { type: 'message', id: 'm', role: 'assistant', model: 'm', content: [], stop_reason: null, usage };
    events(
      response,
      { type: 'message_start', message },
      ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: said }),
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    );
    response.end();
  });
  try {
    const model = createAnthropic({ apiKey: 'key', baseURL: served.url })('claude-opus-5-5');
    for (const options of [{}, { structured: 'tools' }] as const) {
      const adapter = aiSdk(model, options);
      for (let time = 0; time < 2; time += 1) expect((await adapter.decide(requestOf(), how())).text).toBe(said);
    }
    expect(served.bodies.map(({ tool_choice: choice }) => choice)).toEqual(
      Array.from({ length: 4 }, () => ({ type: 'auto', disable_parallel_tool_use: true })),
    );
    // Cast: this is what the package sends.
    const names = served.bodies.map(({ tools }) => (tools as readonly { readonly name: string }[])[0]?.name);
    expect(names).toEqual(['json', 'json', 'decide', 'decide']);
  } finally {
    await served.stop();
  }
});
