import { redactHead } from './redact-cut.js';

// As many as a message may have, beyond which it was cut; and far more, beyond which nothing of it is shown.
const cutLength = 4_000;
const longest = 16 * cutLength;

/**
 * A message without secrets. Whoever wrote it may have cut a text, as `quoted` does, and the whole message where it was too
 * long: of half a secret no function knows, so the word before such a cut gives way, and whatever else there may be the
 * beginning of a secret. What was redacted once stays as it is.
 */
export function redactCutText(text: string, redact: (text: string) => string): string {
  if (text.length > longest) return `${redactHeads(text.slice(0, longest), redact)}…`;
  if (text.length < cutLength || !text.endsWith('…')) return redactEnds(text, redact);
  return `${redactHeads(text.slice(0, -1), redact)}…`;
}

/** Of a text whose end is a cut. */
function redactHeads(text: string, redact: (text: string) => string): string {
  const ends = quotedEnds(text);
  const rest = text.slice(ends);
  return `${redactEnds(text.slice(0, ends), redact)}${redactHead(rest, redact)}`;
}

function quotedEnds(text: string): number {
  return text.lastIndexOf(quotedCut) === -1 ? 0 : text.lastIndexOf(quotedCut) + quotedCut.length;
}

const quotedCut = '…”';

/** Of a text whose end is whole, with quotations in it that may be cut. */
function redactEnds(text: string, redact: (text: string) => string): string {
  const parts = text.split(quotedCut);
  return parts
    .map((part, at) => (at === parts.length - 1 ? redact(part) : redactQuotation(part, redact)))
    .join(quotedCut);
}

/** Up to the cut within a quotation. */
function redactQuotation(text: string, redact: (text: string) => string): string {
  const begin = text.lastIndexOf('“') + 1;
  return redact(text.slice(0, begin)) + redactHead(text.slice(begin), redact);
}
