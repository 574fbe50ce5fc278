import { sha256 as sha256Of } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Sha256 } from '@skillpack/core';

/** The digests of `crypto.subtle` come later; those that core asks for come at once. */
export const sha256: Sha256 = (data) => {
  const bytes = typeof data === 'string' ? utf8ToBytes(data) : data;
  // Cast: a digest is written so, the algorithm and 64 small hexadecimal digits.
  return `sha256:${bytesToHex(sha256Of(bytes))}` as ReturnType<Sha256>;
};
