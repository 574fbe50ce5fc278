import { createHash } from 'node:crypto';
import type { Sha256 } from '@skillpack/core';

/** Hashes bytes, or the UTF-8 of a text, with SHA-256: the `sha256` that the parts of `@skillpack/core` are handed. */
export const sha256: Sha256 = (data) =>
  // The form of a digest is what this line builds.
  `sha256:${createHash('sha256').update(data).digest('hex')}` as ReturnType<Sha256>;
