import { modelAdapterContract } from '@skillpack/core/testing';
import { describe, expect, test } from 'vitest';
import { aiSdk } from '../../src/ai-sdk/ai-sdk.js';
import type { AiSdkOptions } from '../../src/ai-sdk/ai-sdk-options.js';
import { answering, asV3, partsOf } from './mocked-provider.js';

const forms: readonly (readonly [title: string, options: AiSdkOptions])[] = [
  ['schema', { structured: 'schema' }],
  ['tools', { structured: 'tools' }],
  ['native tools', { nativeTools: true }],
  ['text', { structured: 'text' }],
  ['whatever fits', {}],
  ['schema, without a stream', { structured: 'schema', stream: false }],
  ['tools, without a stream', { structured: 'tools', stream: false }],
];

for (const version of ['v4', 'v3'] as const) {
  for (const [title, options] of forms) {
    modelAdapterContract(
      async (reply, beside) => {
        const model = answering((asked) => {
          const form = asked.tools === undefined ? 'text' : 'tools';
          return partsOf(reply(promptOf(asked)), form, beside);
        });
        return { model: aiSdk(version === 'v4' ? model : asV3(model), options), close: async () => undefined };
      },
      { describe, test, expect },
      { title: `aiSdk, ${version}, ${title}`, tells: ['reasoning', 'finish', 'usage'] },
    );
  }
}

/** Every text that a provider is told, whole. */
function promptOf({ prompt, tools }: object & { readonly prompt?: unknown; readonly tools?: unknown }): string {
  const texts: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        texts.push(key);
        visit(inner);
      }
  };
  visit([prompt, tools]);
  return texts.join('\n');
}
