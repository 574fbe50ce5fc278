import type { Digest } from '@skillpack/core';

/** Hashes bytes, or the UTF-8 of a text, with SHA-256: the `sha256` that the parts of `@skillpack/core` are handed. */
export function sha256(data: Uint8Array | string): Digest {
  // Loading it takes as long as reading hundreds of skills, and few callers need it.
  const { hash } = process.getBuiltinModule('node:crypto');
  // A digest is this prefix and the hexadecimal form of the hash.
  return `sha256:${hash('sha256', data, 'hex')}` as Digest;
}
