import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { type ModelMessage, type ModelRequest, parseJson } from '@skillpack/core';

/** The tools as whose calls earlier decisions are told. */
export interface PromptTools {
  /** The one that takes a whole decision. */
  readonly decide: string;
  /** Those that are called by their own names. */
  readonly native: ReadonlySet<string>;
}

/**
 * A conversation as the AI SDK has it. What was observed is told as by the user; with tools, a decision and what came of
 * it are a call and its result, so that a provider sees the form that it is to answer in. Texts of one role that follow
 * each other are one, as some models want it.
 *
 * @param tools `undefined` where an answer is no call.
 */
export function makePrompt({ system, messages }: ModelRequest, tools: PromptTools | undefined): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = system === '' ? [] : [{ role: 'system', content: system }];
  let texts: { readonly role: 'user' | 'assistant'; readonly parts: string[] } | undefined;
  const endTexts = (): void => {
    const text = texts?.parts.join('\n\n') ?? '';
    if (texts !== undefined) prompt.push({ role: texts.role, content: [{ type: 'text', text }] });
    texts = undefined;
  };
  for (let at = 0; at < messages.length; at += 1) {
    const [message, next] = messages.slice(at, at + 2);
    if (message === undefined) break;
    const called = tools === undefined || next?.role !== 'observation' ? undefined : callOf(message, tools);
    if (called !== undefined && next?.role === 'observation') {
      endTexts();
      prompt.push(...callAndResult({ ...called, toolCallId: idAt(at) }, next));
      at += 1;
      continue;
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    if (texts?.role !== role) endTexts();
    texts ??= { role, parts: [] };
    texts.parts.push(message.content);
  }
  endTexts();
  return prompt;
}

interface Call {
  readonly toolName: string;
  readonly input: object;
}

/** What an earlier answer was as the call of a tool; `undefined` for one that was no JSON. */
function callOf({ role, content }: ModelMessage, { decide, native }: PromptTools): Call | undefined {
  const decision = role === 'assistant' ? objectIn(content) : undefined;
  if (decision === undefined) return undefined;
  const { action, ...others } = decision;
  if (isObject(action) && action['kind'] === 'call_tool' && Object.keys(others).length === 0) {
    const { tool, input } = action;
    if (typeof tool === 'string' && native.has(tool) && isObject(input)) return { toolName: tool, input };
  }
  return { toolName: decide, input: decision };
}

function callAndResult(
  call: Call & { readonly toolCallId: string },
  { ok, content }: ModelMessage & { readonly role: 'observation' },
): readonly LanguageModelV4Message[] {
  const { toolCallId, toolName } = call;
  const output = { type: ok ? 'text' : 'error-text', value: content } as const;
  return [
    { role: 'assistant', content: [{ type: 'tool-call', ...call }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
  ];
}

/** The same from turn to turn, for whoever keeps prompts. Nine letters and digits, which is what Mistral takes. */
function idAt(index: number): string {
  return `call${String(index % 100_000).padStart(5, '0')}`;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
