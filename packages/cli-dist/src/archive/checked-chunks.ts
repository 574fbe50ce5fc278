import { createHash } from 'node:crypto';
import { SkillsError, quoted } from '@skillpack/core';
import type { ScannedFile } from './scanned-archive.js';

/**
 * The chunks of a file that is read a second time, held to the digest of the first time: the memory an archive lies in
 * is the caller's, and may have changed.
 *
 * @throws `INTEGRITY_MISMATCH` after the last chunk.
 */
export async function* checkedChunks(
  file: ScannedFile,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
  const actual = `sha256:${hash.digest('hex')}`;
  if (actual === file.digest) return;
  throw new SkillsError(
    'INTEGRITY_MISMATCH',
    `${quoted(file.path)} had the digest ${file.digest} when the archive was judged, and ${actual} when it was unpacked.`,
    { hint: 'The archive changed in between. Nothing of it must be used.', data: { path: file.path } },
  );
}
