import { createHash } from 'node:crypto';
import { SkillsError, quoted } from '@skillpack/core';
import type { ScannedFile } from './scanned-archive.js';

/**
 * The chunks of a file that is read a second time, held to the digest of the first time: the memory an archive lies in
 * is the caller's, and may have changed.
 *
 * @throws `INTEGRITY_MISMATCH` after the last chunk, and for what was not refused the first time; `INTERRUPTED`, `IO_ERROR`.
 */
export async function* checkedChunks(
  file: ScannedFile,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (!SkillsError.is(error, 'ARCHIVE_REFUSED')) throw error;
    throw changed(file, { now: 'damaged data', cause: error });
  }
  const actual = `sha256:${hash.digest('hex')}`;
  if (actual !== file.digest) throw changed(file, { now: actual });
}

function changed(
  { path, digest }: ScannedFile,
  { now, cause }: { readonly now: string; readonly cause?: unknown },
): Error {
  return new SkillsError(
    'INTEGRITY_MISMATCH',
    `${quoted(path)} had the digest ${digest} when the archive was judged, and ${now} when it was unpacked.`,
    { hint: 'The archive changed in between. Nothing of it must be used; do it again.', data: { path }, cause },
  );
}
