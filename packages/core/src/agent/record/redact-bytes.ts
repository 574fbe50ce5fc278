/**
 * Bytes without the secrets that a function takes out of texts. A byte that is no part of UTF-8 hides nothing of what is
 * around it: what stands between two of them is redacted as a text, and they stay.
 */
export function redactBytes(bytes: Uint8Array, redact: (text: string) => string): Uint8Array {
  const text = textWithBytes(bytes);
  const redacted = redact(text);
  return redacted === text ? bytes : bytesOf(redacted);
}

// Half a surrogate pair, which no UTF-8 has: of the byte 0x80, U+DC80.
const byteMark = 0xdc00;

/** A text in which a byte that is no part of UTF-8 is half a surrogate pair. */
export function textWithBytes(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(decoder.decode(bytes.subarray(from, at)), String.fromCharCode(byteMark + (bytes[at] ?? 0)));
    at += 1;
    from = at;
  }
  return parts.join('') + decoder.decode(bytes.subarray(from));
}

/** Bytes of the character that begins there; 0 where none does. */
function characterLength(bytes: Uint8Array, at: number): number {
  const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
  if (first < 0x80) return 1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0;
  for (let next = at + 1; next < at + length; next += 1) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  // Longer than needed, half a surrogate pair, or beyond the last character.
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  return second >= least && second <= most ? length : 0;
}

/** The bytes of such a text. */
export function bytesOf(text: string): Uint8Array {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(/[\udc80-\udcff]/gu)) {
    parts.push(encoder.encode(text.slice(from, index)), Uint8Array.of(mark.charCodeAt(0) - byteMark));
    from = index + 1;
  }
  parts.push(encoder.encode(text.slice(from)));
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}
