import type { ModelAdapter } from '@skillpack/core';
import { aiSdk } from '../ai-sdk/ai-sdk.js';
import { connectProvider } from '../http/connect-provider.js';
import { loadLater } from '../http/load-later.js';
import type { ProviderOptions } from '../http/provider-options.js';

/** A server that speaks the protocol of chat completions, and how it is asked. */
export interface OpenaiCompatibleOptions extends ProviderOptions {
  /** What comes before `/chat/completions`: `https://api.openai.com/v1`, `http://localhost:11434/v1`. */
  readonly baseURL: string;
  /** Sent as a bearer token. @default none: servers on one's own machine want none */
  readonly apiKey?: string | undefined;
}

/**
 * A model behind a server that speaks the protocol of chat completions: OpenAI, and most others, those on one's own
 * machine as well. Its name is `openai:<model>` for `api.openai.com`, else `openai-compatible:<host>/<model>`.
 *
 * @example
 * ```ts
 * const model = openaiCompatible({ baseURL: 'http://localhost:11434/v1', model: 'qwen3', contextTokens: 32_768 });
 * ```
 *
 * @throws `ADDRESS_REFUSED` for a `baseURL` that is no http or https URL, holds a password or a key, or would send a key
 * over plain http to another machine. `USAGE` for a model, a key or a header that cannot be sent.
 */
export function openaiCompatible(options: OpenaiCompatibleOptions): ModelAdapter {
  const { apiKey, model } = options;
  const { base, fetch, settings } = connectProvider(options, {
    of: 'openaiCompatible',
    endpoint: '/chat/completions',
    query: true,
    keyed: false,
    nameOf: (host) => (host === openaiHost ? `openai:${model}` : `openai-compatible:${host}/${model}`),
  });
  const load = async () => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const provider = createOpenAICompatible({
      name: providerName,
      baseURL: base.href,
      ...(apiKey === undefined ? {} : { apiKey }),
      queryParams: { ...base.parameters },
      includeUsage: true,
      supportsStructuredOutputs: true,
      transformRequestBody: base.host === openaiHost ? renameLimit : (body) => body,
      fetch,
    });
    return provider(model);
  };
  return aiSdk(loadLater({ provider: providerName, modelId: model }, load), settings);
}

const openaiHost = 'api.openai.com';

/** Also the key of its `providerOptions`. */
const providerName = 'openaiCompatible';

/** OpenAI's reasoning models refuse `max_tokens`; all of its models know the other name, other servers do not. */
function renameLimit({ max_tokens, ...body }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens };
}
