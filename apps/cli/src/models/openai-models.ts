import { openaiCompatible } from '@skillpack/model-adapters';
import { baseUrlOf } from './base-url.js';
import { modelConnection } from './model-connection.js';
import { modelKey } from './model-key.js';
import { nameBehind } from './name-behind.js';
import { modelFacts } from './model-facts.js';
import type { ModelProvider } from './model-provider.js';
import { refuseOffline } from './refuse-offline.js';
import { reachProvider } from './reach-provider.js';

/** Models of OpenAI: `openai:gpt-5`. The key goes to OpenAI alone, or to where the person says by OPENAI_BASE_URL. */
export const openaiModels: ModelProvider = {
  choose: (word, place) => {
    const model = nameBehind(word, 'openai:<model>');
    const apiKey = modelKey(place.env, {
      provider: 'OpenAI',
      variable: 'OPENAI_API_KEY',
      page: 'https://platform.openai.com/api-keys',
      server: 'OPENAI_BASE_URL',
    });
    const baseURL = baseUrlOf(place.env, 'OPENAI_BASE_URL') ?? 'https://api.openai.com/v1';
    const connection = modelConnection(place.env);
    const name = `openai:${model}`;
    refuseOffline(name, baseURL, place.env);
    const adapter = reachProvider('OPENAI_API_KEY', () =>
      openaiCompatible({ ...modelFacts({ name, alias: name }, place), ...connection, baseURL, apiKey, model }),
    );
    return { secrets: [apiKey], open: async () => adapter };
  },
};
