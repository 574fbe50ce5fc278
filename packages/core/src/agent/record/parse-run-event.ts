import type { Sha256 } from '../../digest/digest.js';
import type { Digest } from '../../digest/is-digest.js';
import { SkillsError } from '../../errors/skills-error.js';
import { canonicalJson } from '../../json/canonical-json.js';
import { readDocumentValue, readJson, writeDocument } from '../../json/json-document.js';
import type { RunEvent } from '../run-event.js';
import { recordLimits } from './record-limits.js';
import { runEventSchema } from './run-event-schema.js';

/** A line of a record, as it was read. */
export interface ReadEvent {
  readonly event: RunEvent;
  /** The hash that its content has; that of an event which nobody changed is `event.hash`. */
  readonly contentHash: Digest;
}

/**
 * Reads one line of `events.jsonl`. Fields that are not known are dropped, but counted in the hash. An event has one line
 * that says it, and every other one is refused: with a name twice, it would say one thing to us and another to others.
 *
 * @param what what a message calls it.
 * @throws `INVALID_RECORD`, `UNSUPPORTED_FORMAT`.
 */
export function parseRunEvent(line: string, ports: { readonly sha256: Sha256 }, what: string): ReadEvent {
  const options = { what, code: 'INVALID_RECORD', maxLength: recordLimits.line, hint: brokenRecordHint } as const;
  const value = readJson(line, options);
  // The type that is read has fields that may be missing where the other one has them as `undefined`.
  const event = readDocumentValue(value, runEventSchema, options) as RunEvent;
  if (!isLineOf(value as object, line)) {
    throw new SkillsError(
      'INVALID_RECORD',
      `${what} is not written as an event is: names of fields come once each and sorted, and nothing stands between values.`,
      { hint: brokenRecordHint },
    );
  }
  return { event, contentHash: ports.sha256(canonicalContent(value as object, what)) };
}

/** An event as a line of `events.jsonl`, with its line break. Invisible characters are escaped. */
export function formatRunEvent(event: RunEvent): string {
  return writeDocument(event, { compact: true });
}

/** What a person is told to do with a record that cannot be trusted. */
export const brokenRecordHint = 'It was changed or damaged after it was written: what it says cannot be relied on.';

/** Whether that is how the value is written. Which characters nobody can see, versions may judge differently. */
function isLineOf(value: object, line: string): boolean {
  const written = writeDocument(value, { compact: true }).slice(0, -1);
  return written === line || withoutEscapes(written) === withoutEscapes(line);
}

// Each escape is one match, so that the `u` behind an escaped backslash begins none.
function withoutEscapes(line: string): string {
  return line.replaceAll(/\\(?:u[0-9a-f]{4}|[^])/gu, (escape) => {
    const code = escape.length === 6 ? Number.parseInt(escape.slice(2), 16) : 0;
    return code < 0x7f ? escape : String.fromCharCode(code);
  });
}

function canonicalContent(value: object, what: string): string {
  try {
    return canonicalJson(Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'hash')));
  } catch (cause) {
    throw new SkillsError('INVALID_RECORD', `${what} says what no event can hold: ${(cause as Error).message}`, {
      hint: brokenRecordHint,
      cause,
    });
  }
}
