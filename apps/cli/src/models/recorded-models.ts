import { resolve } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { recorded } from '@skillpack/model-adapters';
import { cassetteFile } from '@skillpack/model-adapters/node';
import { cassetteOptions } from './cassette-options.js';
import type { ModelProvider } from './model-provider.js';

/** Models whose calls were recorded: `recorded:calls.jsonl`. No provider is asked, and no key is needed. */
export const recordedModels: ModelProvider = {
  choose: (name, { cwd }) => {
    if (name === undefined)
      throw new SkillsError('USAGE', 'A model is named as recorded:<cassette>; there is no colon.', {
        hint: 'skills run … --record <file> makes one.',
      });
    const cassette = cassetteFile(resolve(cwd, name));
    return { secrets: [], open: async (run) => recorded(undefined, cassette, cassetteOptions(run)) };
  },
};
