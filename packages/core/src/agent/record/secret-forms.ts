// Anything shorter stands in too many texts that hold no secret.
const minLength = 4;
// Of a longer one, as a whole key file, the beginning gives it away, and what follows it is cut with it where it follows.
const maxLength = 16_384;

/** The ways in which one secret is written: as it is, within JSON, in URLs, in base64. None for what is no secret. */
export function secretForms(secret: string): readonly string[] {
  if (secret.trim().length < minLength || secret.length > maxLength) return [];
  const text = secret.toWellFormed();
  const json = withinJson(text);
  const url = encodeURIComponent(text);
  const ascii = asciiJson(json);
  const plain = [
    secret,
    secret.trim(),
    json,
    withinJson(json),
    ascii,
    withinJson(ascii),
    url,
    url.replaceAll('%20', '+'),
    encodeURI(text),
  ];
  const lowerHex = url.replace(/%[0-9A-F]{2}/gu, (escape) => escape.toLowerCase());
  const base64 = [0, 1, 2].flatMap((shift) => innerBase64(text, shift));
  const base64Url = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  const upperHex = ascii.replace(/\\u[\da-f]{4}/gu, (escape) => `\\u${escape.slice(2).toUpperCase()}`);
  const forms = new Set([...plain, upperHex, lowerHex, ...base64, ...base64Url]);
  return [...forms].filter((form) => form.length >= minLength);
}

function withinJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** As Python and PHP write JSON: what is no ASCII stands escaped. */
function asciiJson(json: string): string {
  return json.replace(/[^\0-\x7F]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => escapeOf(character.charCodeAt(at))).join(''),
  );
}

function escapeOf(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/**
 * What base64 makes of a text that stands behind `shift` bytes of others, as a password does behind a user name: of the
 * characters at its ends, those that depend on the bytes around it are left out.
 */
function innerBase64(text: string, shift: number): readonly string[] {
  const bytes = new TextEncoder().encode(text);
  // btoa takes bytes as the characters of the same numbers; in steps, since arguments are limited.
  let binary = '\u0000'.repeat(shift);
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const start = Math.ceil((shift * 8) / 6);
  const end = Math.floor(((shift + bytes.length) * 8) / 6);
  const inner = btoa(binary).slice(start, end);
  // Of so short a piece, the bytes of the secret are only a few: it would be found in texts that hold none.
  return inner.length < 2 * minLength ? [] : [inner];
}
