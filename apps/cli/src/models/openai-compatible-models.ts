import { quoted, SkillsError, textWithoutCredentials } from '@skillpack/core';
import { openaiCompatible } from '@skillpack/model-adapters';
import { filled } from '../settings/places.js';
import { isPlainUrl } from './base-url.js';
import { modelConnection } from './model-connection.js';
import { partsBehind } from './name-behind.js';
import { modelFacts } from './model-facts.js';
import type { ModelProvider } from './model-provider.js';
import { refuseOffline } from './refuse-offline.js';
import { reachProvider } from './reach-provider.js';

const form = 'openai-compatible:<url>#<model>';

/** Models of a server that speaks the protocol of chat completions: `openai-compatible:http://localhost:11434/v1#qwen3`. */
export const openaiCompatibleModels: ModelProvider = {
  choose: (word, place) => {
    const { first: baseURL, model } = partsBehind(word, form);
    if (!isPlainUrl(baseURL)) {
      throw new SkillsError(
        'USAGE',
        `A model is named as ${form}; ${quoted(textWithoutCredentials(baseURL))} is no URL of a server.`,
        {
          hint: 'Expected an http or https URL without a password or a question mark. A key stands in SKILLS_MODEL_API_KEY.',
          data: { form },
        },
      );
    }
    const apiKey = filled(place.env['SKILLS_MODEL_API_KEY'])?.trim();
    const connection = modelConnection(place.env);
    const name = `openai-compatible:${baseURL}#${model}`;
    refuseOffline(name, baseURL, place.env);
    const adapter = reachProvider('SKILLS_MODEL_API_KEY', () =>
      openaiCompatible({
        ...modelFacts({ name, alias: `openai-compatible:${model}` }, place),
        ...connection,
        baseURL,
        apiKey,
        model,
      }),
    );
    return { secrets: apiKey === undefined ? [] : [apiKey], open: async () => adapter };
  },
};
