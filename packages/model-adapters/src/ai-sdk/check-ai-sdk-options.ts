import type { LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider';
import { expectOptions, quoted, SkillsError } from '@skillpack/core';
import type { AiSdkOptions } from './ai-sdk-options.js';

/** Every name of an option of `aiSdk`. */
export const aiSdkOptionNames: Readonly<Record<keyof AiSdkOptions, true>> = {
  name: true,
  contextTokens: true,
  maxOutputTokens: true,
  temperature: true,
  seed: true,
  headers: true,
  providerOptions: true,
  structured: true,
  nativeTools: true,
  stream: true,
  timeout: true,
  models: true,
  readError: true,
  clock: true,
};

const forms: readonly string[] = ['auto', 'schema', 'tools', 'text'] satisfies readonly AiSdkOptions['structured'][];

/**
 * Checks a model and how it is to be asked.
 *
 * @returns its name.
 * @throws `USAGE`.
 */
export function checkAiSdkOptions(model: LanguageModelV4 | LanguageModelV3, options: AiSdkOptions): string {
  checkModel(model);
  expectOptions(options, { of: 'aiSdk', names: aiSdkOptionNames });
  const { structured = 'auto', nativeTools, contextTokens, maxOutputTokens, timeout = {} } = options;
  if (!forms.includes(structured)) {
    throw new SkillsError('USAGE', `structured is ${quoted(structured)}; expected ${forms.join(', ')}.`);
  }
  if (nativeTools === true && structured !== 'auto' && structured !== 'tools') {
    throw new SkillsError('USAGE', `nativeTools and structured “${structured}” exclude each other.`, {
      hint: 'Tools in the form of a provider are answered with calls: leave structured out, or set it to tools.',
    });
  }
  const tokens = { contextTokens, maxOutputTokens };
  for (const [name, value] of Object.entries({ ...tokens, ...timeout })) {
    if (value === undefined || (value > 0 && (!(name in tokens) || Number.isSafeInteger(value)))) continue;
    throw new SkillsError('USAGE', `${name} is ${value}; expected a number above 0.`);
  }
  return nameOf(model, options);
}

function checkModel(model: unknown): void {
  if (typeof model === 'string') {
    throw new SkillsError('USAGE', `aiSdk takes a model, not its name ${quoted(model)}.`, {
      hint: 'Make the model with the package of its provider, such as createOpenAI()(name).',
    });
  }
  // Cast: JavaScript gives anything; each field is looked at.
  const { specificationVersion: version, modelId } = (model ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof model === 'function' || (version !== undefined && typeof modelId !== 'string')) {
    throw new SkillsError('USAGE', 'aiSdk takes a model; what came is a provider of models.', {
      hint: 'Call it with the name of a model, and hand in what it gives: aiSdk(provider(name)).',
    });
  }
  if (version === 'v3' || version === 'v4') return;
  throw new SkillsError('USAGE', `The model has the specification ${quoted(String(version))}; expected v3 or v4.`, {
    hint: 'Take a version of the provider’s package for AI SDK 6 or 7.',
  });
}

const modelName = /^[^\s:]+:\S+$/u;

function nameOf({ provider, modelId }: LanguageModelV4 | LanguageModelV3, { name }: AiSdkOptions): string {
  if (name === undefined) {
    const [kind = ''] = provider.split('.');
    return `${kind.replace(/[\s:]+/gu, '-') || 'ai-sdk'}:${modelId.trim().replace(/\s+/gu, '-') || 'unknown'}`;
  }
  if (modelName.test(name)) return name;
  throw new SkillsError('USAGE', `The model has the name ${quoted(name)}; expected provider:model.`);
}
