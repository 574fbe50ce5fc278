import { modelAdapterContract } from '@skillpack/core/testing';
import { memoryCassette, recorded, type RecordedOptions } from '@skillpack/model-adapters';
import { describe, expect, test } from 'vitest';
import { echoing, tells } from './echoing.js';

for (const mode of ['record', 'record-missing'] as const satisfies readonly RecordedOptions['mode'][]) {
  modelAdapterContract(
    async (reply, beside) => {
      const model = await recorded(echoing(reply, beside), memoryCassette(), { mode });
      return { model, close: () => model.close() };
    },
    { describe, test, expect },
    { title: `recorded, ${mode}`, tells },
  );
}

// What is asked is known only when it is: so each call is recorded first, and then replayed without a model.
modelAdapterContract(
  async (reply, beside) => {
    const { name, contextTokens } = echoing(reply, beside);
    return {
      model: {
        name,
        contextTokens,
        async decide(request, options) {
          const cassette = memoryCassette();
          const recording = await recorded(echoing(reply, beside), cassette, { mode: 'record' });
          await recording.decide(request, { signal: new AbortController().signal });
          await recording.close();
          const replaying = await recorded(undefined, cassette);
          if (replaying.name !== name) throw new Error(`It is called ${replaying.name}.`);
          return replaying.decide(request, options);
        },
      },
      close: async () => undefined,
    };
  },
  { describe, test, expect },
  { title: 'recorded, replay', tells },
);
