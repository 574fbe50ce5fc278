import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ModelAdapter } from '@skillpack/core';
import { aiSdk } from '../../src/ai-sdk/ai-sdk.js';
import type { AiSdkOptions } from '../../src/ai-sdk/ai-sdk-options.js';
import { anthropic } from '../../src/anthropic/anthropic.js';
import { openaiCompatible } from '../../src/openai-compatible/openai-compatible.js';
import { chat, messages, type Protocol } from './protocol.js';

/** An adapter that is reached by HTTP, and the protocol that its server speaks. */
export interface Subject {
  readonly title: string;
  readonly protocol: Protocol;
  readonly make: (origin: string, options?: AiSdkOptions) => ModelAdapter;
}

/** No key: a text that may stand nowhere but in a header. */
export const sentKey = 'sk-test-0123456789abcdefABCDEF';

export const openaiSubject: Subject = {
  title: 'openaiCompatible',
  protocol: chat,
  make: (origin, options) => openaiCompatible({ ...options, baseURL: `${origin}/v1`, model: 'small', apiKey: sentKey }),
};

export const anthropicSubject: Subject = {
  title: 'anthropic',
  protocol: messages,
  make: (origin, options) => anthropic({ ...options, baseURL: origin, model: 'small', apiKey: sentKey }),
};

/** The adapters of this package, and the providers of the AI SDK as they come. */
export const subjects: readonly Subject[] = [
  openaiSubject,
  anthropicSubject,
  {
    title: 'aiSdk over @ai-sdk/openai-compatible',
    protocol: chat,
    make: (origin, options) => {
      const settings = { name: 'mine', baseURL: `${origin}/v1`, includeUsage: true, supportsStructuredOutputs: true };
      return aiSdk(createOpenAICompatible({ ...settings, apiKey: sentKey })('small'), options);
    },
  },
  {
    title: 'aiSdk over @ai-sdk/anthropic',
    protocol: messages,
    make: (origin, options) => aiSdk(createAnthropic({ baseURL: `${origin}/v1`, apiKey: sentKey })('small'), options),
  },
];

/** Every form in which an adapter asks for a decision. */
export const forms: readonly (readonly [title: string, options: AiSdkOptions])[] = [
  ['schema', { structured: 'schema' }],
  ['tools', { structured: 'tools' }],
  ['native tools', { nativeTools: true }],
  ['text', { structured: 'text' }],
  ['auto', {}],
];
