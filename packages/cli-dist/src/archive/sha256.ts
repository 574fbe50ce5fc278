import { hash } from 'node:crypto';
import type { Digest, Sha256 } from '@skillpack/core';

/** SHA-256 by the platform: the `Sha256` port of `@skillpack/core`. */
export const sha256: Sha256 = (data) => `sha256:${hash('sha256', data, 'hex')}` as Digest; // 64 hexadecimal digits, as a digest is
