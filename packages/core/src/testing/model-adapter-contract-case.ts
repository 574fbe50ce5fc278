import type { describe as Describe, expect as Expect, test as Test } from 'vitest';
import { SkillsError } from '../errors/skills-error.js';
import { agentActionKinds, decisionSchema } from '../model/decision-schema.js';
import type { DecideOptions, ModelAdapter, ModelMessage, ModelRequest, ModelUsage } from '../model/model-adapter.js';

/** What the contract is run with: the functions of vitest. */
export interface ModelAdapterContractPorts {
  readonly describe: typeof Describe;
  readonly test: typeof Test;
  readonly expect: typeof Expect;
}

/** What a provider sends beside the text of an answer. */
export interface ReplyBeside {
  /** What the model thought, before its text. */
  readonly reasoning?: string | undefined;
  /** Why the answer ended. @default 'stop' */
  readonly finish?: 'length' | 'refused' | undefined;
  /** What the call took. */
  readonly usage?: Required<Omit<ModelUsage, 'cost'>> | undefined;
}

/** One of the tests. */
export interface ModelContractCase {
  readonly title: string;
  readonly reply: (prompt: string) => string;
  readonly beside?: ReplyBeside | undefined;
  readonly run: (model: ModelAdapter) => Promise<void>;
}

/** A decision of many kinds of characters. */
export const longAnswer: string = JSON.stringify({
  action: { kind: 'final_answer', content: 'Über 漢字 \u{1F600}\u{1F468}\u200D\u{1F469} “quoted” \n'.repeat(60) },
});

/** A request that ends with a person's. */
export function requestOf(text: string, earlier: readonly ModelMessage[] = []): ModelRequest {
  const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
  return {
    system: 'You answer with one action.',
    messages: [...earlier, { role: 'user', content: text }],
    tools: [{ name: 'read_file', description: 'Reads a file.', inputSchema }],
    actions: agentActionKinds,
    answerSchema: decisionSchema(agentActionKinds),
  };
}

/** How it is asked. */
export function optionsOf(onText?: (delta: string) => void): DecideOptions {
  return { signal: new AbortController().signal, onText };
}

/** Waits for a call that has to end so. */
export async function expectInterrupted(expect: typeof Expect, call: Promise<unknown>): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(SkillsError.is(error, 'INTERRUPTED'), String(error)).toBe(true);
}
