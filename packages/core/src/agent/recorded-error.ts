import { isErrorCode } from '../errors/is-error-code.js';
import { wholeMessageOf } from '../errors/message-of.js';
import { SkillsError } from '../errors/skills-error.js';
import { redactCutText } from './record/redact-cut-text.js';
import type { RunRecorder } from './run-recorder.js';
import type { RecordedError } from './run-event.js';

/** What takes secrets out of what a record holds. */
export type RedactingRecorder = Pick<RunRecorder, 'redact' | 'redacting'>;

/** For an error that is made of what the record holds already. */
export const redactedBefore: RedactingRecorder = { redact: (text) => text, redacting: false };

/**
 * An error as a record holds it, without secrets. What is no `SkillsError` is a defect of whoever threw it: `INTERNAL`.
 * It is redacted before it is cut, and where it was cut before, the word that the cut is in gives way.
 */
export function recordedError(error: unknown, recorder: RedactingRecorder): RecordedError {
  if (!SkillsError.is(error)) {
    return { code: 'INTERNAL', message: cleanText(`${nameOf(error)}${wholeMessageOf(error)}`, recorder) };
  }
  // It may be that of another version of the package, which has codes that no record of this one can hold.
  const code = isErrorCode(error.code) ? error.code : 'INTERNAL';
  const message = cleanText(wholeMessageOf(error), recorder);
  const hint = hintOf(error);
  return { code, message, ...(hint === undefined ? {} : { hint: cleanText(hint, recorder) }) };
}

function cleanText(text: string, { redact, redacting }: RedactingRecorder): string {
  if (!redacting) return presentable(text);
  // Once more behind the cut: a replay has what was cut, and comes to the same.
  return presentable(redactCutText(presentable(redactCutText(text, redact)), redact));
}

/** As errors clean and cut what they say. */
function presentable(text: string): string {
  return new SkillsError('INTERNAL', text).message;
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
export function asError({ code, message, hint, retryAfter }: RecordedError): SkillsError {
  return new SkillsError(code, message, { hint, data: retryAfter === undefined ? {} : { retryAfter } });
}
