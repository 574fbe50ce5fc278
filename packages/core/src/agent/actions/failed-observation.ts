import { SkillsError, type SkillsErrorOptions } from '../../errors/skills-error.js';
import type { ErrorCode } from '../../errors/codes.js';
import { recordedError, redactedBefore, type RedactingRecorder } from '../recorded-error.js';
import type { Observation } from '../run-scope.js';

/** What a model is told of an error: its message, then what to do. */
export function failedObservation(error: unknown, recorder: RedactingRecorder): Observation {
  const recorded = recordedError(error, recorder);
  const { message, hint } = recorded;
  const content = hint === undefined ? message : `${message} ${hint}`;
  return { ok: false, content, output: isUncertain(error) ? { uncertain: true } : {}, error: recorded };
}

/** Whether something may have been done or not, and nobody knows. */
function isUncertain(error: unknown): boolean {
  return SkillsError.is(error) && error.data['uncertain'] === true;
}

/** An action that was not carried out, and why. */
export function refusedObservation(
  code: ErrorCode,
  message: string,
  options: Pick<SkillsErrorOptions, 'hint'> = {},
): Observation {
  return failedObservation(new SkillsError(code, message, options), redactedBefore);
}
