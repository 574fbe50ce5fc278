import type { LanguageModelV4 } from '@ai-sdk/provider';

/** A model that is not there yet, as the AI SDK names it. */
export interface LaterModel {
  readonly provider: string;
  readonly modelId: string;
}

/**
 * A model whose package is loaded when it is first asked: loading one takes longer than everything else here together, and
 * most commands ask no model.
 *
 * @param load what it throws, a call throws; the next call tries again.
 */
export function loadLater({ provider, modelId }: LaterModel, load: () => Promise<LanguageModelV4>): LanguageModelV4 {
  let loading: Promise<LanguageModelV4> | undefined;
  const loaded = async (): Promise<LanguageModelV4> => {
    loading ??= load();
    try {
      return await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    doGenerate: async (options) => (await loaded()).doGenerate(options),
    doStream: async (options) => (await loaded()).doStream(options),
  };
}
