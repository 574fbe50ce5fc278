import { createAnthropic } from '@ai-sdk/anthropic';
import type { ModelAdapter } from '@skillpack/core';
import { aiSdk } from '../ai-sdk/ai-sdk.js';
import type { AiSdkOptions } from '../ai-sdk/ai-sdk-options.js';
import type { ProviderFetch } from '../http/provider-fetch.js';

/** A model of Anthropic, and how it is asked. */
export interface AnthropicOptions extends AiSdkOptions {
  /** Sent as `x-api-key`. */
  readonly apiKey: string;
  /** Such as `claude-sonnet-4-5`. */
  readonly model: string;
  /** What comes before `/messages`. @default 'https://api.anthropic.com/v1' */
  readonly baseURL?: string | undefined;
  /** Whether the key may go over plain http to another machine, where those on the way can read it. @default false */
  readonly allowInsecure?: boolean | undefined;
  /** Sends the requests: for proxies and tests. @default the platform's `fetch` */
  readonly fetch?: ProviderFetch | undefined;
  /** Bytes that an answer may have, and the largest of its lines. @default 32 MiB and 4 MiB */
  readonly maxBytes?: number | undefined;
}

/**
 * A model of Anthropic, by its protocol of messages. Its name is `anthropic:<model>`.
 *
 * @throws `UNAUTHORIZED` without a key. `ADDRESS_REFUSED` and `USAGE` as `openaiCompatible` does.
 */
export function anthropic(options: AnthropicOptions): ModelAdapter {
  const provider = createAnthropic({
    apiKey: options.apiKey,
    baseURL: options.baseURL ?? 'https://api.anthropic.com/v1',
  });
  return aiSdk(provider(options.model), options);
}
