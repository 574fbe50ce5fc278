import { crc32 } from 'node:zlib';
import { skipGzipHeader, startsGzip } from './gzip-header.js';
import { inflateChunks, inflateWithin, plausibleSize, refuseExpansion, type InflateSum } from './inflate.js';
import { refuse } from './refuse.js';

/** bgzip makes one member for 64 KiB, 3,200 for the largest pack; each costs a fresh inflater. */
const maxMembers = 10_000;
const trailerLength = 8;
const memberOverhead = 1024;

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
  const parts: Buffer[] = [];
  let left = cap;
  let at = 0;
  for (let member = 0; at < archive.length; member += 1) {
    const start = startMember(archive, at, member);
    // Of several members, each is small, and the last one's claim says nothing of the others.
    const inflated = inflateWithin(archive.subarray(start), { cap: left, claimed: member === 0 ? claimed : 0 });
    if (inflated === undefined) return undefined;
    const { bytes, consumed } = inflated;
    left -= bytes.length;
    parts.push(bytes);
    at = checkTrailer(archive, start, { consumed, crc: crc32(bytes), size: bytes.length });
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}

/**
 * As {@link gunzipWithin}, without a cap and in chunks: the caller counts. A chunk is taken back
 * when the next one is asked for.
 *
 * @throws `ARCHIVE_REFUSED`, `INTERRUPTED`.
 */
export async function* gunzipChunks(archive: Buffer, signal: AbortSignal | undefined): AsyncGenerator<Buffer, void> {
  let at = 0;
  let size = 0;
  for (let member = 0; at < archive.length; member += 1) {
    const start = startMember(archive, at, member);
    const sum = yield* inflateChunks(archive.subarray(start), { signal });
    at = checkTrailer(archive, start, sum);
    size += sum.size;
    if (at > plausibleSize(size) + memberOverhead * member) throw refuseExpansion();
  }
}

function startMember(archive: Buffer, at: number, member: number): number {
  if (!startsGzip(archive, at)) {
    throw refuse('trailing-data', `${archive.length - at} bytes follow its compressed data`);
  }
  if (member >= maxMembers) throw refuse('bad-header', `it is gzipped in more than ${maxMembers} members`);
  return skipGzipHeader(archive, at);
}

function checkTrailer(archive: Buffer, start: number, { consumed, crc, size }: InflateSum): number {
  const at = start + consumed;
  if (archive.length < at + trailerLength) throw refuse('truncated', 'it ends within its gzip checksum');
  const stated = archive.readUInt32LE(at);
  if (stated !== crc) {
    throw refuse('bad-checksum', `its data have the CRC-32 ${hex(crc)}, but it states ${hex(stated)}`);
  }
  const length = archive.readUInt32LE(at + 4);
  if (length !== size % 2 ** 32) {
    throw refuse('size-mismatch', `it unpacks to ${size} bytes, but states ${length}`);
  }
  return at + trailerLength;
}

/** CRC-32 as people write it. */
export function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}
