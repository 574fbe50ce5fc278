import type { AiSdkOptions } from '../ai-sdk/ai-sdk-options.js';
import type { ProviderFetch } from './provider-fetch.js';

/** A model of a provider that is reached by HTTP, and how it is asked. */
export interface ProviderOptions extends AiSdkOptions {
  /** What the provider calls the model: `gpt-5`, `claude-sonnet-4-5`, `qwen3`. */
  readonly model: string;
  /** Whether a key may go over plain http to another machine, where those on the way can read it. @default false */
  readonly allowInsecure?: boolean | undefined;
  /** Sends the requests: for proxies and tests. @default the platform's `fetch` */
  readonly fetch?: ProviderFetch | undefined;
  /** Bytes that an answer may have, with all that its stream consists of. @default 33554432 */
  readonly maxBytes?: number | undefined;
}
