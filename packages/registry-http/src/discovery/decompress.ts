import { SkillsError } from '@skillpack/core';
import { collectBytes } from './collect-bytes.js';
import { refuseArchive } from './refuse-archive.js';

/**
 * What compressed bytes unpack to.
 *
 * @param maxBytes how many there may be; more throw what `tooMany` makes.
 * @throws `ARCHIVE_REFUSED` for damaged ones.
 */
export async function decompress(
  bytes: Uint8Array<ArrayBuffer>,
  format: 'gzip' | 'deflate-raw',
  bounds: { readonly maxBytes: number; readonly tooMany: () => Error },
): Promise<Uint8Array> {
  try {
    return await collectBytes(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)), bounds);
  } catch (error) {
    if (SkillsError.is(error)) throw error;
    // What a damaged stream throws differs from one browser to another.
    throw refuseArchive('bad-compression', 'what it holds compressed is damaged');
  }
}
