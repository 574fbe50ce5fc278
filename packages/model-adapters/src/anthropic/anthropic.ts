import type { JSONObject } from '@ai-sdk/provider';
import { type ModelAdapter, SkillsError } from '@skillpack/core';
import { aiSdk } from '../ai-sdk/ai-sdk.js';
import { connectProvider } from '../http/connect-provider.js';
import { loadLater } from '../http/load-later.js';
import type { ProviderOptions } from '../http/provider-options.js';

/** A model of Anthropic, and how it is asked. */
export interface AnthropicOptions extends ProviderOptions {
  /** Sent as `x-api-key`. */
  readonly apiKey: string;
  /** What comes before `/v1/messages`; with or without the `/v1`. @default 'https://api.anthropic.com' */
  readonly baseURL?: string | undefined;
}

/**
 * A model of Anthropic, by its protocol of messages. Its name is `anthropic:<model>`.
 *
 * @example
 * ```ts
 * const model = anthropic({ apiKey, model: 'claude-sonnet-4-5' });
 * ```
 *
 * @throws `ADDRESS_REFUSED` and `USAGE` as `openaiCompatible` does, `USAGE` also without a key.
 */
export function anthropic(options: AnthropicOptions): ModelAdapter {
  const { apiKey, model, baseURL = `https://${anthropicHost}`, providerOptions } = options;
  const { base, fetch, settings } = connectProvider(
    { ...options, baseURL },
    { of: 'anthropic', endpoint: '/messages', query: false, keyed: true, nameOf: () => `anthropic:${model}` },
  );
  const load = async () => {
    const { createAnthropic } = await loadPackage();
    const provider = createAnthropic({
      // Both are always given: without them the package would look into the environment.
      apiKey,
      baseURL: /\/v\d+$/u.test(base.href) ? base.href : `${base.href}/v1`,
      fetch,
    });
    return provider(model);
  };
  // What comes before the newest message stays the same from turn to turn. Others that speak the protocol may not know it.
  const known: JSONObject = base.host === anthropicHost ? { cacheControl: { type: 'ephemeral' } } : {};
  return aiSdk(loadLater({ provider: 'anthropic.messages', modelId: model }, load), {
    ...settings,
    providerOptions: { ...providerOptions, anthropic: { ...known, ...providerOptions?.['anthropic'] } },
  });
}

const anthropicHost = 'api.anthropic.com';

/** The package makes a provider for everybody when it is loaded, from variables of the environment. */
async function loadPackage() {
  try {
    return await import('@ai-sdk/anthropic');
  } catch (cause) {
    throw new SkillsError('INVALID_CONFIG', 'The package @ai-sdk/anthropic cannot be loaded.', {
      hint: 'If the environment variable ANTHROPIC_BASE_URL is set and empty, remove it: the package does not take that.',
      cause,
    });
  }
}
