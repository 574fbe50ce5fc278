import { createHash } from 'node:crypto';
import type { Sha256 } from '../src/digest/digest.js';

/** The real hash, as adapters hand it to `core`. */
export const sha256: Sha256 = (data) =>
  // The form of a digest is what this line builds.
  `sha256:${createHash('sha256').update(data).digest('hex')}` as ReturnType<Sha256>;
