/**
 * A text without secrets that are spelled with escapes of JSON, or of JSON within JSON: to whoever reads that, they are
 * secrets. A text that holds none stays as it is, with its escapes.
 */
export function redactEscaped(text: string, redact: (text: string) => string): string {
  if (!text.includes('\\')) return text;
  let redacted = text;
  for (const escapes of [ofThisText, ofAnyText]) {
    const plain = withoutEscapes(redacted, escapes);
    const known = redact(plain);
    if (known !== plain) redacted = known;
  }
  return redacted;
}

// What follows a backslash that is itself escaped is no escape of this text, but may be one of a text within it.
const ofThisText = /\\(?:u([\da-f]{4})|[^])/giu;
const ofAnyText = /\\+(?:u([\da-f]{4})|\/)/giu;

function withoutEscapes(text: string, escapes: RegExp): string {
  return text.replace(escapes, (written: string, code: string | undefined) => {
    if (code === undefined) return written.endsWith('/') ? '/' : written;
    const unit = String.fromCharCode(Number.parseInt(code, 16));
    const backslashes = written.length - 'u0000'.length;
    // These two cannot do without: they stand as JSON writes them, which is how a redactor knows them.
    if (unit === '"') return `${'\\'.repeat(2 * backslashes - 1)}"`;
    if (unit === '\\') return '\\'.repeat(2 * backslashes);
    return /\p{Cc}/u.test(unit) ? written : unit;
  });
}
