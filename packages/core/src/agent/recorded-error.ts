import { isErrorCode } from '../errors/is-error-code.js';
import { messageOf } from '../errors/message-of.js';
import { SkillsError } from '../errors/skills-error.js';
import type { RecordedError } from './run-event.js';

/** An error as a record holds it. What is no `SkillsError` is a defect of whoever threw it: `INTERNAL`. */
export function recordedError(error: unknown): RecordedError {
  if (SkillsError.is(error)) {
    // It may be that of another version of the package, which has codes that no record of this one can hold.
    const code = isErrorCode(error.code) ? error.code : 'INTERNAL';
    const { message, hint } = new SkillsError(code, messageOf(error), { hint: hintOf(error) });
    return { code, message, ...(hint === undefined ? {} : { hint }) };
  }
  // The error cleans its message.
  return { code: 'INTERNAL', message: new SkillsError('INTERNAL', `${nameOf(error)}${messageOf(error)}`).message };
}

function hintOf({ hint }: { readonly hint?: unknown }): string | undefined {
  return typeof hint === 'string' ? hint : undefined;
}

function nameOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ` : '';
  } catch {
    return '';
  }
}

/** The error that a record holds. */
export function asError({ code, message, hint }: RecordedError): SkillsError {
  return new SkillsError(code, message, { hint });
}
