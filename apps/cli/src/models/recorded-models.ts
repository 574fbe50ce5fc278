import { resolve } from 'node:path';
import { SkillsError, type ModelAdapter } from '@skillpack/core';
import { recorded } from '@skillpack/model-adapters';
import { cassetteFile } from '@skillpack/model-adapters/node';
import { adviseOnRecording } from './advise-on-recording.js';
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
      const model = await advised(async () => recorded(undefined, cassette, cassetteOptions(run)));
      return {
        ...model,
        // By this name a run goes on: with that of the model that was recorded, a provider would be asked.
        name: `recorded:${knownPath(path, projectDir)}`,
        decide: async (request, how) => advised(async () => model.decide(request, how)),
      };
    };
    return { secrets: [], open };
  },
};

async function advised<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw adviseOnRecording(error);
  }
}
