import { SkillsError, type ArchiveLimits } from '@skillpack/core';
import { collectBytes } from './collect-bytes.js';
import { readTar, type UnpackedFile } from './read-tar.js';
import { refuseArchive } from './refuse-archive.js';

const zipStart = [0x50, 0x4b, 0x03, 0x04];
const gzipStart = [0x1f, 0x8b];
/** What a tar archive has besides its files: the header and the last block of each, and its end. */
const perEntry = 2048;
const atEnd = 1024 * 1024;

/**
 * The files of a skill in a `.tar.gz` with SKILL.md at its root, by path. What macOS adds to archives is left out.
 *
 * @throws `ARCHIVE_REFUSED`; the reason `unknown-format` for a zip.
 */
export async function unpackSkill(
  archive: Uint8Array<ArrayBuffer>,
  limits: ArchiveLimits,
): Promise<ReadonlyMap<string, UnpackedFile>> {
  const files = readTar(await gunzip(archive, limits), limits);
  if (!files.has('SKILL.md')) throw refuseArchive('missing-skill-file', 'it has no SKILL.md at its root');
  return new Map([...files].filter(([path]) => !isLitter(path)));
}

async function gunzip(archive: Uint8Array<ArrayBuffer>, limits: ArchiveLimits): Promise<Uint8Array> {
  if (zipStart.every((byte, at) => archive[at] === byte)) {
    throw refuseArchive('unknown-format', 'it is a zip, and here only a .tar.gz is read');
  }
  if (!gzipStart.every((byte, at) => archive[at] === byte)) throw refuseArchive('unknown-format', 'it is no .tar.gz');
  const { entries, unpackedBytes } = limits;
  const unpacked = new Blob([archive]).stream().pipeThrough(new DecompressionStream('gzip'));
  const tooMany = (): Error =>
    refuseArchive('unpacked-too-large', `it unpacks to more than the ${unpackedBytes} bytes allowed in all`, {
      limit: unpackedBytes,
    });
  try {
    return await collectBytes(unpacked, { maxBytes: unpackedBytes + entries * perEntry + atEnd, tooMany });
  } catch (cause) {
    if (SkillsError.is(cause)) throw cause;
    // What a damaged stream throws differs from one browser to another.
    throw refuseArchive('bad-compression', 'it is gzip, and damaged');
  }
}

/** AppleDouble (`._x`, `__MACOSX/`) or .DS_Store. */
function isLitter(path: string): boolean {
  return /(?:^|\/)(?:\.DS_Store$|\._[^/]*$)|^__MACOSX\//u.test(path);
}
