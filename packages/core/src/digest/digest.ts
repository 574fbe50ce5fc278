import * as z from 'zod/mini';
import { digestPattern, type Digest } from './is-digest.js';

/** Hashes bytes, or the UTF-8 of a text, with SHA-256. The port through which `core` hashes, since it does no I/O of its own. */
export type Sha256 = (data: Uint8Array | string) => Digest;

/** The 64 hexadecimal digits of a digest: its name as a blob. */
export function digestHex(digest: Digest): string {
  return digest.slice('sha256:'.length);
}

// The brand is a claim that the pattern proves; a schema of its own type would leave no pattern in the JSON Schema.
export const digestSchema = z
  .string()
  .check(
    z.regex(digestPattern, { error: 'expected a digest (sha256: and 64 hexadecimal digits)' }),
  ) as unknown as z.ZodMiniType<Digest, string>;
