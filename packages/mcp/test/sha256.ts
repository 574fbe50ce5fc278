import { hash } from 'node:crypto';
import type { Digest } from '@skillpack/core';

export const sha256 = (data: Uint8Array | string): Digest => `sha256:${hash('sha256', data)}` as Digest;
