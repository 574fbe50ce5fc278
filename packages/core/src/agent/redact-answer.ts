import { canonicalJson } from '../json/canonical-json.js';
import { recordable } from '../json/recordable.js';
import type { AgentActionKind } from '../model/action.js';
import { parseDecision } from '../model/parse-decision.js';
import { outsideEscape, withoutEscapes, writtenLength } from './record/json-escapes.js';
import { redactEvent } from './redact-event.js';

/**
 * The answer of a model without secrets, those too that it wrote with escapes of JSON: what is decided is read from this text
 * alone, so nothing that follows holds one either. A text that holds none stays as it is, and so does one up to the first.
 */
export function redactAnswer(
  text: string,
  redact: (text: string) => string,
  { actions }: { readonly actions: readonly AgentActionKind[] },
): string {
  const redacted = redact(redactPart(text, redact, { changed: false }).text).toWellFormed();
  // An answer may be JSON within a text of JSON, or be mended: what counts is what is read from it.
  const reading = parseDecision(redacted, actions);
  if (reading.kind !== 'decision') return redacted;
  const decision = redactEvent(reading.decision, redact);
  const same = canonicalJson(decision) === canonicalJson(recordable(reading.decision));
  return same ? redacted : JSON.stringify(decision);
}

/** A part of an answer, and whether a secret was in it or in a part before. */
export interface RedactedPart {
  readonly text: string;
  readonly changed: boolean;
}

/** As {@link redactAnswer}, for a part. From the first secret on, no escapes are left that need not be. */
export function redactPart(
  text: string,
  redact: (text: string) => string,
  { changed }: { readonly changed: boolean },
): RedactedPart {
  const plain = withoutEscapes(text);
  const known = redact(plain);
  if (changed) return { text: known, changed };
  const written = Math.min(
    writtenLength(text, sameLength(plain, known)),
    outsideEscape(text, sameLength(text, redact(text))),
  );
  if (written === text.length) return { text, changed };
  return { text: text.slice(0, written) + known.slice(withoutEscapes(text.slice(0, written)).length), changed: true };
}

/** How much two texts have in common from their beginning. */
function sameLength(left: string, right: string): number {
  if (left === right) return left.length;
  let length = 0;
  while (length < left.length && left.charAt(length) === right.charAt(length)) length += 1;
  return length;
}
