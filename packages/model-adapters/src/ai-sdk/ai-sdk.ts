import type { LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider';
import { type ModelAdapter, SkillsError } from '@skillpack/core';
import type { AiSdkOptions } from './ai-sdk-options.js';

/**
 * Any model of the AI SDK: an object with the specification `v4` or `v3`, as each provider package makes it. The package
 * `ai` is not needed.
 *
 * @throws `USAGE` for a model of another specification, and for options that cannot be.
 */
export function aiSdk(model: LanguageModelV4 | LanguageModelV3, options: AiSdkOptions = {}): ModelAdapter {
  const name = options.name ?? `${model.provider}:${model.modelId}`;
  return {
    name,
    contextTokens: options.contextTokens ?? 128_000,
    decide: () => Promise.reject(new SkillsError('MODEL_ERROR', `${name} has not answered.`)),
  };
}
