import { hash } from 'node:crypto';
import type { Digest } from '@skillpack/core';

/** Hashes bytes or the UTF-8 of a text. */
export function sha256(data: Uint8Array | string): Digest {
  // Cast: 64 lower-case hexadecimal digits are what `hex` means.
  return `sha256:${hash('sha256', data, 'hex')}` as Digest;
}
