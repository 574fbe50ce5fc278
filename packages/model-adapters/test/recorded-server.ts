import { LLMock } from '@copilotkit/aimock';
import type { ModelAdapter } from '@skillpack/core';
import { openaiCompatible } from '@skillpack/model-adapters';

/** A model that is reached by HTTP, with the server behind it. */
export interface ServedModel {
  readonly model: ModelAdapter;
  /** How often the server was asked. */
  asked(): number;
  stop(): Promise<void>;
}

/**
 * A model behind @copilotkit/aimock, a server of chat completions that nobody here has written: what is recorded went over
 * HTTP, in a stream of pieces.
 *
 * @param decisions one a turn, as JSON.
 */
export async function serveDecisions(decisions: readonly string[]): Promise<ServedModel> {
  const server = await LLMock.create({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
  server.on(
    { predicate: () => true },
    ({ messages }) => ({ content: decisions[messages.filter(({ role }) => role === 'assistant').length] ?? '' }),
    { chunkSize: 7 },
  );
  const model = openaiCompatible({
    baseURL: `${server.url}/v1`,
    model: 'small',
    // The port of the server is another one each time.
    name: 'openai-compatible:small',
    structured: 'text',
  });
  return { model, asked: () => server.getRequests().length, stop: () => server.stop() };
}
