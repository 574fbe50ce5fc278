import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { MockLanguageModelV4 } from 'ai/test';

type Call = readonly [tool: string, input: object, id?: string];
/** One answer of a model: a text, or calls of tools. */
export type Answer = string | readonly Call[];

const usage: LanguageModelV4GenerateResult['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** The mock of the AI SDK, with these answers one after another, or with what a function makes of a request. */
export function scriptedModel(
  answers: readonly Answer[] | ((request: LanguageModelV4CallOptions) => Answer | Promise<Answer>),
): MockLanguageModelV4 {
  let turn = 0;
  const next = async (request: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> => {
    const answer = typeof answers === 'function' ? await answers(request) : answers[turn];
    turn += 1;
    if (answer === undefined) throw new Error(`There is no answer ${turn}.`);
    return { ...contentOf(answer, turn), usage, warnings: [] };
  };
  const doStream: LanguageModelV4['doStream'] = async (request) => {
    const { content, finishReason } = await next(request);
    return {
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: 'stream-start', warnings: [] });
          for (const part of content) {
            if (part.type === 'tool-call') controller.enqueue(part);
            if (part.type !== 'text') continue;
            controller.enqueue({ type: 'text-start', id: '1' });
            controller.enqueue({ type: 'text-delta', id: '1', delta: part.text });
            controller.enqueue({ type: 'text-end', id: '1' });
          }
          controller.enqueue({ type: 'finish', finishReason, usage });
          controller.close();
        },
      }),
    };
  };
  return new MockLanguageModelV4({ doGenerate: next, doStream });
}

function contentOf(answer: Answer, turn: number): Pick<LanguageModelV4GenerateResult, 'content' | 'finishReason'> {
  if (typeof answer === 'string') {
    return { content: [{ type: 'text', text: answer }], finishReason: { unified: 'stop', raw: 'stop' } };
  }
  return {
    content: answer.map(([toolName, input, toolCallId = `call-${turn}-${toolName}`]) => ({
      type: 'tool-call',
      toolCallId,
      toolName,
      input: JSON.stringify(input),
    })),
    finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
  };
}

/** Names of the tools that each request offered. */
export function offeredTools({ doGenerateCalls, doStreamCalls }: MockLanguageModelV4): readonly (readonly string[])[] {
  return [...doGenerateCalls, ...doStreamCalls].map(({ tools = [] }) => tools.map(({ name }) => name));
}

/** The system text of each request. */
export function systemTexts({ doGenerateCalls }: MockLanguageModelV4): readonly string[] {
  return doGenerateCalls.map(({ prompt }) =>
    prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n---\n'),
  );
}
