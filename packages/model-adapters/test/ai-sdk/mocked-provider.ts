import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { agentActionKinds, decisionSchema, type ModelMessage, type ModelRequest } from '@skillpack/core';
import type { ReplyBeside } from '@skillpack/core/testing';
import { convertArrayToReadableStream, MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test';
import type { StructuredForm } from '../../src/ai-sdk/ai-sdk-options.js';

/** What a provider sends, of both specifications. */
export type Part = LanguageModelV4StreamPart;

/** A final answer, as a decision. */
export const final = (content: string): string => JSON.stringify({ action: { kind: 'final_answer', content } });

/** Of a call. */
export function usageOf(parts?: ReplyBeside['usage']): LanguageModelV4Usage {
  const {
    inputTokens = 10,
    outputTokens = 5,
    cachedInputTokens = 0,
    cacheWriteTokens = 0,
    reasoningTokens = 0,
  } = parts ?? {};
  const noCache = inputTokens - cachedInputTokens - cacheWriteTokens;
  return {
    inputTokens: { total: inputTokens, noCache, cacheRead: cachedInputTokens, cacheWrite: cacheWriteTokens },
    outputTokens: { total: outputTokens, text: outputTokens - reasoningTokens, reasoning: reasoningTokens },
  };
}

/** The last part of an answer. */
export function finish(unified: LanguageModelV4FinishReason['unified'] = 'stop', usage = usageOf()): Part {
  return { type: 'finish', finishReason: { unified, raw: unified }, usage };
}

/** A text, cut into pieces. */
export function text(...deltas: readonly string[]): readonly Part[] {
  const pieces = deltas.map((delta): Part => ({ type: 'text-delta', id: 't', delta }));
  return [{ type: 'text-start', id: 't' }, ...pieces, { type: 'text-end', id: 't' }];
}

/** Thoughts, cut into pieces. */
export function thoughts(id: string, ...deltas: readonly string[]): readonly Part[] {
  const pieces = deltas.map((delta): Part => ({ type: 'reasoning-delta', id, delta }));
  return [{ type: 'reasoning-start', id }, ...pieces, { type: 'reasoning-end', id }];
}

/** A call whose input comes in pieces, and then as a whole. */
export function call(id: string, toolName: string, ...deltas: readonly string[]): readonly Part[] {
  const pieces = deltas.map((delta): Part => ({ type: 'tool-input-delta', id, delta }));
  return [
    { type: 'tool-input-start', id, toolName },
    ...pieces,
    { type: 'tool-input-end', id },
    { type: 'tool-call', toolCallId: id, toolName, input: deltas.join('') },
  ];
}

/** A call that comes whole. */
export function wholeCall(toolCallId: string, toolName: string, input: string): Part {
  return { type: 'tool-call', toolCallId, toolName, input };
}

/** A provider that sends these parts, whatever it is asked. */
export function provider(...parts: readonly (Part | readonly Part[])[]): MockLanguageModelV4 {
  return answering(() => parts.flat());
}

/** A provider that answers with parts; a throw is its error. */
export function answering(
  answer: (options: LanguageModelV4CallOptions) => readonly Part[] | Promise<readonly Part[]>,
): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider: 'mocked.chat',
    modelId: 'm-1',
    doStream: async (options) => ({ stream: convertArrayToReadableStream([...(await answer(options))]) }),
    doGenerate: async (options) => {
      const parts = await answer(options);
      const last = parts.find((part) => part.type === 'finish');
      const { finishReason, usage } = last ?? { finishReason: { unified: 'other', raw: undefined }, usage: usageOf() };
      const warnings = parts.flatMap((part) => (part.type === 'stream-start' ? part.warnings : []));
      return { content: contentOf(parts), finishReason, usage, warnings };
    },
  });
}

function contentOf(parts: readonly Part[]): LanguageModelV4Content[] {
  const content: LanguageModelV4Content[] = [];
  const blocks = new Map<string, { type: 'text' | 'reasoning'; text: string }>();
  for (const part of parts) {
    if (part.type === 'text-start' || part.type === 'reasoning-start') {
      const block = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' } as const;
      blocks.set(part.id, block);
      content.push(block);
    }
    const block = 'id' in part && part.type.endsWith('-delta') ? blocks.get(part.id) : undefined;
    if (block !== undefined && 'delta' in part) block.text += part.delta;
    if (part.type === 'tool-call') content.push(part);
  }
  return content;
}

/** The same provider in the specification before. */
export function asV3(model: MockLanguageModelV4): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    provider: model.provider,
    modelId: model.modelId,
    // Casts: what is sent here is the same in both specifications.
    doStream: async (options) => model.doStream(options as LanguageModelV4CallOptions) as never,
    doGenerate: async (options) => model.doGenerate(options as LanguageModelV4CallOptions) as never,
  });
}

/** The parts of an answer with such a text, in a form. */
export function partsOf(
  said: string,
  form: StructuredForm,
  { reasoning, finish: why, usage }: ReplyBeside,
): readonly Part[] {
  const pieces = said.match(/[^]{1,7}/gu) ?? [];
  const reasons = {
    length: 'length',
    refused: 'content-filter',
    none: form === 'tools' ? 'tool-calls' : 'stop',
  } as const;
  return [
    { type: 'stream-start', warnings: [] },
    ...(reasoning === undefined ? [] : thoughts('r', ...(reasoning.match(/[^]{1,9}/gu) ?? []))),
    ...(form === 'tools' && said.startsWith('{') ? call('c1', 'decide', ...pieces) : text(...pieces)),
    finish(reasons[why ?? 'none'], usageOf(usage)),
  ];
}

/** A request, as an agent makes it. */
export function requestOf(messages: readonly ModelMessage[] = [], tools: readonly string[] = []): ModelRequest {
  return {
    system: 'You answer with one action.',
    messages: [{ role: 'user', content: 'Say it.' }, ...messages],
    tools: tools.map((name) => ({
      name,
      description: `Does ${name}.`,
      inputSchema: { type: 'object', properties: {} },
    })),
    actions: agentActionKinds,
    answerSchema: decisionSchema(agentActionKinds),
  };
}
