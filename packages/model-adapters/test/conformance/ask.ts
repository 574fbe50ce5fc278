import {
  agentActionKinds,
  decisionSchema,
  type ModelAdapter,
  type ModelAnswer,
  type ModelRequest,
} from '@skillpack/core';

/** A request as the agent loop makes it, with one tool. */
export function requestOf(text: string): ModelRequest {
  return {
    system: 'You answer with one action.',
    messages: [{ role: 'user', content: text }],
    tools: [
      {
        name: 'shout',
        description: 'Shouts.',
        inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      },
    ],
    actions: agentActionKinds,
    answerSchema: decisionSchema(agentActionKinds),
  };
}

/** What came of a call: an answer or an error, and what was told on the way. */
export interface Outcome {
  readonly answer: ModelAnswer | undefined;
  readonly error: unknown;
  readonly told: string;
  readonly thought: string;
}

/** Asks a model, and never throws. */
export async function ask(model: ModelAdapter, request: ModelRequest = requestOf('Say it.')): Promise<Outcome> {
  const told = { text: '', reasoning: '' };
  const { signal } = new AbortController();
  const call = model.decide(request, {
    signal,
    onText: (delta) => void (told.text += delta),
    onReasoning: (delta) => void (told.reasoning += delta),
  });
  const [result] = await Promise.allSettled([call]);
  return {
    answer: result.status === 'fulfilled' ? result.value : undefined,
    error: result.status === 'rejected' ? result.reason : undefined,
    told: told.text,
    thought: told.reasoning,
  };
}
