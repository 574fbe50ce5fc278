import {
  agentActionKinds,
  decisionSchema,
  SkillsError,
  type DecideOptions,
  type ModelMessage,
  type ModelRequest,
} from '@skillpack/core';

export const user = (content: string): ModelMessage => ({ role: 'user', content });
export const decided = (content: string): ModelMessage => ({ role: 'assistant', content });
export const saw = (content: string, ok = true): ModelMessage => ({ role: 'observation', ok, content });

/** A request with these messages; anything else of it can be changed. */
export function requestOf(messages: readonly ModelMessage[], changed: Partial<ModelRequest> = {}): ModelRequest {
  const inputSchema = { type: 'object', properties: { path: { type: 'string' } } };
  return {
    system: 'You answer with one action.\n- pdf: Reads PDF.',
    messages,
    tools: [{ name: 'read_file', description: 'Reads a file.', inputSchema }],
    actions: agentActionKinds,
    answerSchema: decisionSchema(agentActionKinds),
    ...changed,
  };
}

export function calling(options: Partial<DecideOptions> = {}): DecideOptions {
  return { signal: new AbortController().signal, ...options };
}

/** The error that a call ends with. */
export async function errorOf(call: Promise<unknown>): Promise<SkillsError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (SkillsError.is(error)) return error;
  throw new Error(`not an error of ours: ${String(error)}`);
}
