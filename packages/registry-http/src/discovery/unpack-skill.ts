import type { ArchiveLimits } from '@skillpack/core';
import { decompress } from './decompress.js';
import { readTar, type UnpackedFile } from './read-tar.js';
import { readZip } from './read-zip.js';
import { refuseArchive } from './refuse-archive.js';

const zipStart = [0x50, 0x4b, 0x03, 0x04];
const gzipStart = [0x1f, 0x8b];
/** What a tar archive has besides its files: the header and the last block of each, and its end. */
const perEntry = 2048;
const atEnd = 1024 * 1024;

/**
 * The files of a skill in a `.tar.gz` or a `.zip` with SKILL.md at its root, by path. What macOS adds to archives is left
 * out.
 *
 * @throws `ARCHIVE_REFUSED`.
 */
export async function unpackSkill(
  archive: Uint8Array<ArrayBuffer>,
  limits: ArchiveLimits,
): Promise<ReadonlyMap<string, UnpackedFile>> {
  const files = await readFiles(archive, limits);
  if (!files.has('SKILL.md')) throw refuseArchive('missing-skill-file', 'it has no SKILL.md at its root');
  return new Map([...files].filter(([path]) => !isLitter(path)));
}

async function readFiles(
  archive: Uint8Array<ArrayBuffer>,
  limits: ArchiveLimits,
): Promise<ReadonlyMap<string, UnpackedFile>> {
  const starts = (bytes: readonly number[]): boolean => bytes.every((byte, at) => archive[at] === byte);
  if (starts(zipStart)) return readZip(archive, limits);
  if (starts(gzipStart)) return readTar(await gunzip(archive, limits), limits);
  throw refuseArchive('unknown-format', 'it is neither a .tar.gz nor a .zip');
}

async function gunzip(
  archive: Uint8Array<ArrayBuffer>,
  { entries, unpackedBytes }: ArchiveLimits,
): Promise<Uint8Array> {
  const tooMany = (): Error =>
    refuseArchive('unpacked-too-large', `it unpacks to more than the ${unpackedBytes} bytes allowed in all`, {
      limit: unpackedBytes,
    });
  return decompress(archive, 'gzip', { maxBytes: unpackedBytes + entries * perEntry + atEnd, tooMany });
}

/** AppleDouble (`._x`, `__MACOSX/`) or .DS_Store. */
function isLitter(path: string): boolean {
  return /(?:^|\/)(?:\.DS_Store$|\._[^/]*$)|^__MACOSX\//u.test(path);
}
