import { anthropic, defaultModels, findModel } from '@skillpack/model-adapters';
import { baseUrlOf } from './base-url.js';
import { modelConnection } from './model-connection.js';
import { modelKey } from './model-key.js';
import { nameBehind } from './name-behind.js';
import { modelFacts } from './model-facts.js';
import type { ModelProvider } from './model-provider.js';
import { refuseOffline } from './refuse-offline.js';
import { reachProvider } from './reach-provider.js';

/** Tokens that an answer of a model may have which nobody knows: the protocol wants a number. */
const usualOutput = 16_384;

/** Models of Anthropic: `anthropic:claude-sonnet-4-5`. The key goes there alone, or to where ANTHROPIC_BASE_URL says. */
export const anthropicModels: ModelProvider = {
  choose: (word, place) => {
    const model = nameBehind(word, 'anthropic:<model>');
    const apiKey = modelKey(place.env, {
      provider: 'Anthropic',
      variable: 'ANTHROPIC_API_KEY',
      page: 'https://console.anthropic.com/settings/keys',
      server: 'ANTHROPIC_BASE_URL',
    });
    const baseURL = baseUrlOf(place.env, 'ANTHROPIC_BASE_URL') ?? 'https://api.anthropic.com';
    const connection = modelConnection(place.env);
    const name = `anthropic:${model}`;
    refuseOffline(name, baseURL, place.env);
    const facts = modelFacts({ name, alias: name }, place);
    const known = findModel(defaultModels, name) !== undefined;
    const maxOutputTokens = facts.maxOutputTokens ?? (known ? undefined : usualOutput);
    const adapter = reachProvider('ANTHROPIC_API_KEY', () =>
      anthropic({ ...facts, maxOutputTokens, ...connection, baseURL, apiKey, model }),
    );
    return { secrets: [apiKey], open: async () => adapter };
  },
};
