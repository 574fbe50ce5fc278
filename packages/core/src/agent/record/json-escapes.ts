// A pair of surrogates, one code unit, any other escape, the beginning of one that is cut off, or what is none.
const pieces = /\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|\\u([\da-f]{4})|\\[\s\S]|\\|[^\\]+/giu;

/** A text whose JSON means the same, with every character as it is that need not be escaped, the others as JSON writes them. */
export function withoutEscapes(text: string): string {
  return text.includes('\\') ? Array.from(text.matchAll(pieces), plainPiece).join('') : text;
}

function plainPiece([piece, high, low, unit]: RegExpExecArray): string {
  if (high !== undefined && low !== undefined) return String.fromCharCode(numberOf(high), numberOf(low));
  if (unit === undefined) return piece === '\\/' ? '/' : piece;
  const code = numberOf(unit);
  const character = String.fromCharCode(code);
  if (code < 0x20 || character === '"' || character === '\\') return JSON.stringify(character).slice(1, -1);
  // Half of a surrogate pair, and other controls, cannot stand for themselves; a quote may end what it stands in.
  return /['\p{Cc}\p{Surrogate}]/u.test(character) ? piece.toLowerCase() : character;
}

function numberOf(hexadecimal: string): number {
  return Number.parseInt(hexadecimal, 16);
}

/**
 * How much of a text comes to the first `length` characters of {@link withoutEscapes}.
 *
 * @returns where the escape begins in which they end, if they end in one.
 */
export function writtenLength(text: string, length: number): number {
  let plain = 0;
  for (const match of text.matchAll(pieces)) {
    const size = plainPiece(match).length;
    if (plain + size > length) return match.index + (match[0].startsWith('\\') ? 0 : length - plain);
    plain += size;
  }
  return text.length;
}

/** The place itself, or where the escape begins that it is within. */
export function outsideEscape(text: string, at: number): number {
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    if (index + piece.length > at) return piece.startsWith('\\') ? index : at;
  }
  return text.length;
}

// What may become an escape, or a pair, with what follows.
const unfinished = /^(?:\\|\\u[\da-f]{0,3}|\\ud[89ab][\da-f]{2}(?:\\(?:u(?:d(?:[c-f][\da-f]?)?)?)?)?)$/iu;

/** How much of a text ends within no escape, and with no half of a pair. */
export function unbrokenLength(text: string): number {
  const from = Math.max(0, text.length - 12);
  for (const { index } of text.matchAll(pieces)) {
    if (index >= from && unfinished.test(text.slice(index))) return index;
  }
  return text.length;
}
