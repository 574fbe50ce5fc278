import { crc32 } from 'node:zlib';
import { bytesInMemory, type ArchiveBytes } from './archive-bytes.js';
import { gzipHeaderLength, startsGzip } from './gzip-header.js';
import { inflateChunks, inflateWithin, plausibleSize, refuseExpansion, type InflateSum } from './inflate.js';
import { refuse } from './refuse.js';

/** bgzip makes one member for 64 KiB, 3,200 for the largest pack; each costs a fresh inflater. */
const maxMembers = 10_000;
const trailerLength = 8;
const memberOverhead = 1024;
/** What of a member is looked at for its header; when that is longer, four times as much. */
const headBytes = 4096;

/**
 * Unpacks a gzip file (RFC 1952, any number of members) that is not larger than `cap`, packed and unpacked. Trailing
 * bytes of any kind are refused, which `gunzipSync` would ignore.
 *
 * @returns `undefined` when it is larger.
 * @throws `ARCHIVE_REFUSED`.
 */
export function gunzipWithin(archive: Buffer, cap: number): Buffer | undefined {
  const claimed = archive.length < trailerLength ? 0 : archive.readUInt32LE(archive.length - 4);
  if (claimed > cap || archive.length > cap) return undefined;
  const bytes = bytesInMemory(archive);
  const parts: Buffer[] = [];
  let left = cap;
  let at = 0;
  for (let member = 0; at < archive.length; member += 1) {
    const start = startMember(bytes, at, member);
    // Of several members, each is small, and the last one's claim says nothing of the others.
    const inflated = inflateWithin(archive.subarray(start), { cap: left, claimed: member === 0 ? claimed : 0 });
    if (inflated === undefined) return undefined;
    const { bytes: part, consumed } = inflated;
    left -= part.length;
    parts.push(part);
    at = checkTrailer(bytes, start, { consumed, crc: crc32(part), size: part.length });
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}

/**
 * As {@link gunzipWithin}, without a cap and in chunks: the caller counts. A chunk is taken back
 * when the next one is asked for.
 *
 * @throws `ARCHIVE_REFUSED`, `INTERRUPTED`.
 */
export async function* gunzipChunks(
  archive: ArchiveBytes,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void> {
  let at = 0;
  let size = 0;
  for (let member = 0; at < archive.length; member += 1) {
    const start = startMember(archive, at, member);
    const sum = yield* inflateChunks(archive, { start, signal });
    at = checkTrailer(archive, start, sum);
    size += sum.size;
    if (at > plausibleSize(size) + memberOverhead * member) throw refuseExpansion();
  }
}

function startMember(archive: ArchiveBytes, at: number, member: number): number {
  archive.letGo(at);
  if (!startsGzip(archive.slice(at, at + 2))) {
    throw refuse('trailing-data', `${archive.length - at} bytes follow its compressed data`);
  }
  if (member >= maxMembers) throw refuse('bad-header', `it is gzipped in more than ${maxMembers} members`);
  for (let size = headBytes; ; size *= 4) {
    const length = gzipHeaderLength(archive.slice(at, at + size));
    if (length !== undefined) return at + length;
    if (at + size >= archive.length) throw refuse('truncated', 'it ends within a gzip header');
  }
}

function checkTrailer(archive: ArchiveBytes, start: number, { consumed, crc, size }: InflateSum): number {
  const at = start + consumed;
  if (archive.length < at + trailerLength) throw refuse('truncated', 'it ends within its gzip checksum');
  const trailer = archive.slice(at, at + trailerLength);
  const stated = trailer.readUInt32LE(0);
  if (stated !== crc) {
    throw refuse('bad-checksum', `its data have the CRC-32 ${hex(crc)}, but it states ${hex(stated)}`);
  }
  const length = trailer.readUInt32LE(4);
  if (length !== size % 2 ** 32) {
    throw refuse('size-mismatch', `it unpacks to ${size} bytes, but states ${length}`);
  }
  return at + trailerLength;
}

/** CRC-32 as people write it. */
export function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}
