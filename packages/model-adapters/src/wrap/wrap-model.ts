import type { ModelAdapter } from '@skillpack/core';

/** The same model to whoever asks what it is, which decides in another way. */
export function wrapModel(model: ModelAdapter, decide: ModelAdapter['decide']): ModelAdapter {
  const { name, contextTokens, nativeTools } = model;
  return {
    name,
    contextTokens,
    ...(nativeTools === undefined ? {} : { nativeTools }),
    ...(model.costOf === undefined ? {} : { costOf: (usage) => model.costOf?.(usage) }),
    decide,
  };
}
