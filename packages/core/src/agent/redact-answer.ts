import { canonicalJson } from '../json/canonical-json.js';
import { recordable } from '../json/recordable.js';
import type { AgentActionKind } from '../model/action.js';
import { parseDecision } from '../model/parse-decision.js';
import { redactEvent } from './redact-event.js';

/**
 * The answer of a model without secrets, those too that it wrote with escapes of JSON: what is decided is read from this text
 * alone, so nothing that follows holds one either. A text that holds none stays as it is.
 */
export function redactAnswer(
  text: string,
  redact: (text: string) => string,
  { actions }: { readonly actions: readonly AgentActionKind[] },
): string {
  const plain = withoutEscapes(text);
  const known = redact(plain);
  const redacted = redact(known === plain ? text : known).toWellFormed();
  // An answer may be JSON within a text of JSON, or be mended: what counts is what is read from it.
  const reading = parseDecision(redacted, actions);
  if (reading.kind !== 'decision') return redacted;
  const decision = redactEvent(reading.decision, redact);
  const same = canonicalJson(decision) === canonicalJson(recordable(reading.decision));
  return same ? redacted : JSON.stringify(decision);
}

/** A text whose JSON means the same, with every character as it is that need not be escaped. */
function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:((?:u[\da-f]{4})(?:\\u[\da-f]{4})*)|[\s\S])/giu, (escape, codes: string | undefined) => {
    if (codes === undefined) return escape === '\\/' ? '/' : escape;
    const said = codes
      .split('\\')
      .map((code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
      .join('');
    // Half of a surrogate pair, quotes, backslashes and controls cannot stand for themselves.
    return Array.from(said, (character) =>
      /^["\\\p{Cc}\p{Surrogate}]$/u.test(character) ? escaped(character) : character,
    ).join('');
  });
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
