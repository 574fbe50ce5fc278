import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import { aiSdkProvider } from './ai-sdk-provider.js';

const provider = (name: string) => Object.assign(() => name, { languageModel: (model: string) => `${name}:${model}` });

test.each([
  ['@ai-sdk/openai', 'openai'],
  ['@ai-sdk/amazon-bedrock', 'bedrock'],
  ['@ai-sdk/google-vertex', 'vertex'],
  ['@ai-sdk/google', 'google'],
  ['@openrouter/ai-sdk-provider', 'openrouter'],
  ['ollama-ai-provider-v2', 'ollama'],
  ['workers-ai-provider', 'workers'],
  ['@acme/models', 'default'],
  ['@acme/models', 'somethingElse'],
])('of the package %s, the export %s makes the models', (packageName, name) => {
  const exported = { VERSION: '1.0.0', createIt: () => provider('made'), [name]: provider('right'), error: Error };
  expect(aiSdkProvider(packageName, exported).languageModel('m')).toBe('right:m');
});

test('the one that has the name of its package comes before others', () => {
  const exported = { azure: provider('azure'), openai: provider('openai'), default: provider('default') };
  expect(aiSdkProvider('@ai-sdk/openai', exported).languageModel('m')).toBe('openai:m');
});

test.each([
  [{}, 'found nothing'],
  [{ createMistral: () => undefined, mistral: null }, 'found createMistral, mistral'],
  [{ a: provider('a'), b: provider('b') }, 'exports several providers of models: a, b'],
])('what fits nothing is told with what is there', (exported, told) => {
  try {
    aiSdkProvider('@ai-sdk/mistral', exported);
    expect.unreachable();
  } catch (error) {
    if (!SkillsError.is(error, 'INVALID_CONFIG')) throw error;
    expect(`${error.message} ${error.hint}`).toContain(told);
  }
});

test('what is named for a server of one’s own is told how such a server is named', () => {
  expect(() => aiSdkProvider('@ai-sdk/openai-compatible', { createOpenAICompatible: () => undefined })).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('openai-compatible:<url>#<model>') }),
  );
});
