import { resolve } from 'node:path';
import { SkillsError, type ModelAdapter } from '@skillpack/core';
import { recorded } from '@skillpack/model-adapters';
import { cassetteFile } from '@skillpack/model-adapters/node';
import { cassetteOptions } from './cassette-options.js';
import { knownPath } from './known-path.js';
import type { ModelProvider, ModelRun } from './model-provider.js';

/** Models whose calls were recorded: `recorded:calls.jsonl`. No provider is asked, and no key is needed. */
export const recordedModels: ModelProvider = {
  choose: (name, { cwd, projectDir }) => {
    if (name === undefined)
      throw new SkillsError('USAGE', 'A model is named as recorded:<cassette>; there is no colon.', {
        hint: 'skills run … --record <file> makes one.',
      });
    const path = resolve(cwd, name);
    const cassette = cassetteFile(path);
    const open = async (run: ModelRun): Promise<ModelAdapter> => {
      const model = await recorded(undefined, cassette, cassetteOptions(run));
      // By this name a run goes on: with that of the model that was recorded, a provider would be asked.
      return { ...model, name: `recorded:${knownPath(path, projectDir)}` };
    };
    return { secrets: [], open };
  },
};
