import type { ModelAdapter } from '@skillpack/core';
import { recorded, type RecordedModel } from '@skillpack/model-adapters';
import { cassetteFile } from '@skillpack/model-adapters/node';
import { cassetteOptions } from './cassette-options.js';
import type { ModelRun } from './model-provider.js';

/** A model whose calls go into a cassette, which is as it was before until the recording is closed. */
export async function recordModel(model: ModelAdapter, path: string, run: ModelRun): Promise<RecordedModel> {
  return recorded(model, cassetteFile(path), { ...cassetteOptions(run), mode: 'record' });
}
