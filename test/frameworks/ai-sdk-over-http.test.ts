import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { skillAgentSettings } from '@skillpack/frameworks/ai-sdk';
import { ToolLoopAgent, type LanguageModel, type ModelMessage } from 'ai';
import { expect, test } from 'vitest';
import { chat, messages, send } from '../../packages/model-adapters/test/conformance/protocol.js';
import { startProvider } from '../../packages/model-adapters/test/conformance/start-provider.js';
import { makeExtract, makeRegistry, ports, turns } from './known-world.js';

const apiKey = 'sk-test-0123456789abcdefABCDEF';
const providers = [
  [
    'openai-compatible',
    chat,
    (origin: string): LanguageModel =>
      createOpenAICompatible({ name: 'mine', baseURL: `${origin}/v1`, apiKey })('small'),
  ],
  [
    'anthropic',
    messages,
    (origin: string): LanguageModel => createAnthropic({ baseURL: `${origin}/v1`, apiKey })('small'),
  ],
] as const;

test.for(providers)(
  'SAA-21, AGIO-15: over HTTP, a model reads a skill, its tool is offered and asked about, and runs after a yes: %s',
  async ([, protocol, modelOf]) => {
    const provider = await startProvider(protocol.check, async (call, out) => {
      await send(protocol, { call, out }, { parts: [turns[provider.calls.indexOf(call)]!] });
    });
    const did: string[] = [];
    const agent = new ToolLoopAgent({
      model: modelOf(provider.origin),
      instructions: 'You help.',
      maxOutputTokens: 100,
      ...skillAgentSettings(
        makeRegistry(),
        { ...ports, groupedTools: { pdf: [makeExtract(did)] } },
        { permissions: { configured: { ask: ['extract'] } } },
      ),
    });
    const options = { conversation: 'one' };
    const asked: ModelMessage = { role: 'user', content: 'What does a.pdf say?' };
    const first = await agent.generate({ messages: [asked], options });
    const requests = first.content.filter((part) => part.type === 'tool-approval-request');
    expect([requests.length, did]).toEqual([1, []]);
    const yes: ModelMessage = {
      role: 'tool',
      content: requests.map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved: true })),
    };
    const stream = await agent.stream({ messages: [asked, ...first.responseMessages, yes], options });
    expect(await stream.text).toBe('Done.');
    expect(did).toEqual(['a.pdf']);
    const sent = provider.calls.map(({ text }) => text);
    await provider.close();
    expect(sent.map((text) => text.includes('Extracts the text of a file.'))).toEqual([false, true, true]);
    expect(sent.map((text) => text.includes('## Available Skills'))).toEqual([true, true, true]);
    expect(sent[2]).toContain('Text of a.pdf.');
    expect(sent.join('')).not.toContain('For you alone');
  },
);
