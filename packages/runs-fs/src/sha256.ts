import { createHash } from 'node:crypto';
import type { Sha256 } from '@skillpack/core';

/** The hash of bytes, or of the UTF-8 of a text. */
export const sha256: Sha256 = (data) =>
  // The form of a digest is what this line builds.
  `sha256:${createHash('sha256').update(data).digest('hex')}` as ReturnType<Sha256>;
