import { SkillsError } from '@skillpack/core';

const advice: Readonly<Record<string, string>> = {
  RECORDING_STALE:
    'Record the run again by --record. A recording holds the skills that were offered: with --scope project, both times, those of your own and those that come with the command count for nothing.',
  RECORDING_NOT_FOUND:
    'It plays with the words of the command line that it was recorded with: limits and --allow are in what a model is asked, and so are the names of all skills, unless --scope names some. Else record the run again by --record.',
};

/** An error of a recording with what helps on a command line; any other as it is. */
export function adviseOnRecording(error: unknown): unknown {
  if (!SkillsError.is(error)) return error;
  const { code, message, data } = error;
  const isThere = code !== 'RECORDING_NOT_FOUND' || data['key'] !== undefined;
  const hint = isThere ? advice[code] : 'skills run … --record <file> makes one. Another model is named by --model.';
  return hint === undefined ? error : new SkillsError(code, message, { hint, cause: error, data });
}
