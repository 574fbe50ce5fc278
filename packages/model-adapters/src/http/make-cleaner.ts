import { createRedactor } from '@skillpack/core';

/** Characters of a text from a server that are looked at. */
export const lookedAt = 65_536;

/**
 * Makes a function that takes secrets out of what a server says: those that were sent, and tokens that are told by their
 * shape. What it is given may have been cut: the beginning of a secret at its end goes, too.
 */
export function makeCleaner(secrets: readonly string[]): (text: string) => string {
  const redact = createRedactor({ values: secrets });
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), inBase64(secret)]);
  return (text) => forms.reduce(withoutBeginning, redact(text.slice(0, lookedAt)));
}

/** Shorter beginnings say nothing: they are `sk-` and the like. */
const shortest = 4;

function withoutBeginning(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= shortest; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length);
  }
  return text;
}

function inBase64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}
