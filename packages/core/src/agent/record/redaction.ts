import { createRedactor } from './create-redactor.js';

/** Takes out tokens, private keys and credentials of URLs: what a run does that is handed no `redact`. */
export const redactByShape: (text: string) => string = createRedactor();

/** For the replay of a record that was redacted by shape: there is nothing left to take out. */
const redactedByShape = (text: string): string => text;

/** For the replay of a record that another function took secrets out of. */
const redactedOtherwise = (text: string): string => text;

/**
 * Takes nothing out, as the `redact` of a run: its record holds whatever is said, secrets included, and pieces of what a
 * model writes are handed on at once.
 */
export const redactNothing = (text: string): string => text;

/** What a record says of its redaction: `true` for a function that was handed in, `undefined` for none. */
export type RecordedRedaction = boolean | 'by-shape' | undefined;

/** How a record says which function takes secrets out of it. */
export function recordedRedaction(redact: (text: string) => string): RecordedRedaction {
  if (redact === redactNothing) return undefined;
  return redact === redactByShape || redact === redactedByShape ? 'by-shape' : true;
}

/** The function with which a replay comes to the same record. */
export function replayedRedaction(recorded: RecordedRedaction): (text: string) => string {
  if (recorded === 'by-shape') return redactedByShape;
  return recorded === true ? redactedOtherwise : redactNothing;
}

/** Whether what a run is told was redacted when it was recorded, and is no more what it was. */
export function isRedactedBefore(redact: (text: string) => string): boolean {
  return redact === redactedByShape || redact === redactedOtherwise;
}
