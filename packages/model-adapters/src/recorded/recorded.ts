import { SkillsError, type ModelAdapter } from '@skillpack/core';
import type { Cassette } from './cassette.js';
import type { RecordedModel, RecordedOptions } from './recorded-options.js';

/**
 * A model whose calls come from a cassette, or go into one.
 *
 * @param model the one that is asked; none is needed to replay: name and window are then those of the recording.
 * @throws `INVALID_CASSETTE`, `UNSUPPORTED_FORMAT`, `RECORDING_NOT_FOUND` where there is no cassette to replay,
 * `RECORDING_STALE`, `USAGE`, `IO_ERROR`. Its calls throw `RECORDING_NOT_FOUND`, and what was recorded as an error.
 */
export async function recorded(
  _model: ModelAdapter | undefined,
  cassette: Cassette,
  _options: RecordedOptions = {},
): Promise<RecordedModel> {
  throw new SkillsError('INTERNAL', `${cassette.name} cannot be read yet.`);
}
