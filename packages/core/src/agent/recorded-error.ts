import { SkillsError } from '../errors/skills-error.js';
import type { RecordedError } from './run-event.js';

/** An error as a record holds it. What is no `SkillsError` is a defect of whoever threw it: `INTERNAL`. */
export function recordedError(error: unknown): RecordedError {
  if (SkillsError.is(error)) {
    const { code, message, hint } = error;
    return { code, message, ...(hint === undefined ? {} : { hint }) };
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // The error cleans its message.
  return { code: 'INTERNAL', message: new SkillsError('INTERNAL', message).message };
}

/** The error that a record holds. */
export function asError({ code, message, hint }: RecordedError): SkillsError {
  return new SkillsError(code, message, { hint });
}
