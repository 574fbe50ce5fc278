import type { Digest } from '@skillpack/core';

/** The digest of a text in UTF-8, by the Web Crypto of the platform: browsers have it, too. */
export async function sha256(text: string): Promise<Digest> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const hex = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `sha256:${hex}` as Digest; // Cast: a digest is made so.
}
