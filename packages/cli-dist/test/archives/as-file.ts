import type { ArchiveFile } from '@skillpack/core';
import { sha256 } from '../../src/index.js';

/** Bytes as an archive in a file has them: read piece by piece, and no more than that. */
export function asFile(bytes: Uint8Array): ArchiveFile {
  return {
    size: bytes.length,
    digest: sha256(bytes),
    read(into, position) {
      const part = bytes.subarray(position, position + into.length);
      into.set(part);
      return part.length;
    },
  };
}
