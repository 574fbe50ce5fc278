import type { Digest } from './is-digest.js';

/** Hashes bytes, or the UTF-8 of a text, with SHA-256. The port through which `core` hashes, since it does no I/O of its own. */
export type Sha256 = (data: Uint8Array | string) => Digest;

/** The 64 hexadecimal digits of a digest: its name as a blob. */
export function digestHex(digest: Digest): string {
  return digest.slice('sha256:'.length);
}
