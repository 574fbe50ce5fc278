import { createSkillSession, createSkillTools, type SkillSession, type Tool } from '@skillpack/core';
import { expect, test } from 'vitest';
import { chat, messages, send, type Protocol } from '../../packages/model-adapters/test/conformance/protocol.js';
import { startProvider, type Provider } from '../../packages/model-adapters/test/conformance/start-provider.js';
import { clock, makeExtract, makeRegistry, ports, turns } from './known-world.js';

// The loops that people have: `fetch`, the messages of the protocol as they are, and nothing of a framework.

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** Carries out a call as any loop would: what the session allows. */
async function carryOut(
  session: SkillSession<Tool>,
  tools: readonly Tool[],
  { id, name, input }: Call,
): Promise<string> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return `There is no tool ${name}.`;
  const judgement = session.judge({ ...tool, action: 'call_tool', tool: name, input });
  if (judgement.kind !== 'allow') return judgement.kind === 'refuse' ? judgement.message : 'Nobody said yes.';
  return (await tool.run(input, { id, signal: new AbortController().signal })).content;
}

async function post(url: string, headers: Record<string, string>, body: object): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return answer.json();
}

interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

async function chatLoop(session: SkillSession<Tool>, origin: string): Promise<string | null> {
  const conversation: ChatMessage[] = [{ role: 'user', content: 'What does a.pdf say?' }];
  for (;;) {
    const { system, tools } = await session.prepare({ system: 'You help.', tools: [], messages: conversation });
    const answer = (await post(
      `${origin}/v1/chat/completions`,
      { authorization: 'Bearer key' },
      {
        model: 'small',
        messages: [{ role: 'system', content: system }, ...conversation],
        tools: tools.map(({ name, description, inputSchema: parameters }) => ({
          type: 'function',
          function: { name, description, parameters },
        })),
      },
    )) as { readonly choices: readonly [{ readonly message: ChatMessage }] };
    const { role, content, tool_calls: calls } = answer.choices[0].message;
    if (calls === undefined) return content;
    conversation.push({ role, content, tool_calls: calls });
    for (const { id, function: asked } of calls) {
      const input: unknown = JSON.parse(asked.arguments);
      const text = await carryOut(session, tools, { id, name: asked.name, input });
      conversation.push({ role: 'tool', tool_call_id: id, content: text });
    }
  }
}

type Block =
  | { readonly type: 'text'; readonly text: string }
  | ({ readonly type: 'tool_use' } & Call)
  | { readonly type: 'tool_result'; readonly tool_use_id: string; readonly content: string };

async function messagesLoop(session: SkillSession<Tool>, origin: string): Promise<string | null> {
  const conversation: { role: string; content: string | readonly Block[] }[] = [
    { role: 'user', content: 'What does a.pdf say?' },
  ];
  for (;;) {
    const { system, tools } = await session.prepare({ system: 'You help.', tools: [], messages: conversation });
    const headers = { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' };
    const { content } = (await post(`${origin}/v1/messages`, headers, {
      model: 'small',
      max_tokens: 100,
      system,
      messages: conversation,
      tools: tools.map(({ name, description, inputSchema: input_schema }) => ({ name, description, input_schema })),
    })) as { readonly content: readonly Block[] };
    const calls = content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    conversation.push({ role: 'assistant', content });
    const results: Block[] = [];
    for (const call of calls) {
      results.push({ type: 'tool_result', tool_use_id: call.id, content: await carryOut(session, tools, call) });
    }
    conversation.push({ role: 'user', content: results });
  }
}

const loops = [
  ['chat completions', chat, chatLoop],
  ['messages', messages, messagesLoop],
] as const;

async function serve(protocol: Protocol): Promise<Provider> {
  const provider: Provider = await startProvider(protocol.check, async (call, out) => {
    await send(protocol, { call, out }, { parts: [turns[provider.calls.indexOf(call)]!] });
  });
  return provider;
}

test.for(loops)(
  'SAA-21, SAA-23, AGIO-07: a loop of somebody’s own over HTTP gets the catalogue, and the tools of a skill once it was read: %s',
  async ([, protocol, loop]) => {
    const did: string[] = [];
    const provider = await serve(protocol);
    const session = createSkillSession<Tool>(
      makeRegistry(),
      { ...ports, groupedTools: { pdf: [makeExtract(did)] } },
      { readingTools: (own, { skills }) => createSkillTools(own, { clock }, { preset: 'registry', skills }) },
    );
    expect(await loop(session, provider.origin)).toBe('Done.');
    const sent = provider.calls.map(({ text }) => text);
    await provider.close();
    expect(did).toEqual(['a.pdf']);
    expect(sent.map((text) => text.includes('Extracts the text of a file.'))).toEqual([false, true, true]);
    expect(sent.map((text) => text.includes('## Available Skills'))).toEqual([true, true, true]);
    expect(sent.map((text) => text.includes('Read one page at a time.'))).toEqual([false, true, true]);
    // The body stands in the conversation, and so not a second time in what the session adds.
    expect(sent.at(-1)?.split('Read one page at a time.')).toHaveLength(2);
    expect(sent.join('')).not.toContain('For you alone');
  },
);

test.for(loops)(
  'AGIO-15: a loop of somebody’s own has each call judged, and what is refused is not done: %s',
  async ([, protocol, loop]) => {
    const did: string[] = [];
    const provider = await serve(protocol);
    const session = createSkillSession<Tool>(
      makeRegistry(),
      { ...ports, groupedTools: { pdf: [makeExtract(did)] } },
      {
        readingTools: (own, { skills }) => createSkillTools(own, { clock }, { preset: 'registry', skills }),
        permissions: { configured: { deny: ['extract'] } },
      },
    );
    expect(await loop(session, provider.origin)).toBe('Done.');
    expect(did).toEqual([]);
    expect(provider.calls.at(-1)?.text).toContain('The configuration does not allow this use of the tool');
    await provider.close();
  },
);
