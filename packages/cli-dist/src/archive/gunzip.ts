import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { SkillsError } from '@skillpack/core';
import { skipGzipHeader, startsGzip } from './gzip-header.js';
import { refuse } from './refuse.js';

/** bgzip makes one member for 64 KiB, 3,200 for the largest pack; each costs a fresh inflater. */
const maxMembers = 10_000;
const trailerLength = 8;
const chunkSize = 256 * 1024;

/** How a gzip file is unpacked in chunks. */
export interface GunzipOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Unpacks a gzip file (RFC 1952, any number of members) that is not larger than `cap` unpacked. Trailing bytes of any
 * kind are refused, which `gunzipSync` would ignore.
 *
 * @returns `undefined` when it is larger.
 * @throws `ARCHIVE_REFUSED`.
 */
export function gunzipWithin(archive: Buffer, cap: number): Buffer | undefined {
  const claimed = archive.length < trailerLength ? 0 : archive.readUInt32LE(archive.length - 4);
  if (claimed > cap) return undefined;
  const parts: Buffer[] = [];
  let left = cap;
  let at = 0;
  for (let member = 0; at < archive.length; member += 1) {
    const start = startMember(archive, at, member);
    const inflated = inflateWithin(archive.subarray(start), { cap: left, claimed });
    if (inflated === undefined) return undefined;
    left -= inflated.bytes.length;
    parts.push(inflated.bytes);
    at = checkTrailer(archive, start + inflated.consumed, {
      crc: crc32(inflated.bytes),
      length: inflated.bytes.length,
    });
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}

/**
 * As {@link gunzipWithin}, without a cap and in chunks: the caller counts. Every chunk is fresh.
 *
 * @throws `ARCHIVE_REFUSED`, `INTERRUPTED`.
 */
export async function* gunzipChunks(archive: Buffer, options: GunzipOptions = {}): AsyncGenerator<Buffer, void> {
  let at = 0;
  for (let member = 0; at < archive.length; member += 1) {
    const start = startMember(archive, at, member);
    const sum = { crc: 0, length: 0 };
    const inflater = createInflateRaw({ chunkSize });
    inflater.end(archive.subarray(start));
    try {
      for await (const chunk of inflater as AsyncIterable<Buffer>) {
        throwIfAborted(options.signal);
        sum.crc = crc32(chunk, sum.crc);
        sum.length += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw inflateError(error);
    } finally {
      inflater.destroy();
    }
    at = checkTrailer(archive, start + inflater.bytesWritten, sum);
  }
}

/** @throws `INTERRUPTED` when the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw new SkillsError('INTERRUPTED', 'Reading the archive was cancelled.', { cause: signal.reason });
  }
}

function startMember(archive: Buffer, at: number, member: number): number {
  if (!startsGzip(archive, at)) {
    throw refuse('trailing-data', `${archive.length - at} bytes follow its compressed data`);
  }
  if (member >= maxMembers) throw refuse('bad-header', `it is gzipped in more than ${maxMembers} members`);
  return skipGzipHeader(archive, at);
}

function checkTrailer(archive: Buffer, at: number, sum: { readonly crc: number; readonly length: number }): number {
  if (archive.length < at + trailerLength) throw refuse('truncated', 'it ends within its gzip checksum');
  const crc = archive.readUInt32LE(at);
  if (crc !== sum.crc) {
    throw refuse('bad-checksum', `its data have the CRC-32 ${hex(sum.crc)}, but it states ${hex(crc)}`);
  }
  const length = archive.readUInt32LE(at + 4);
  if (length !== sum.length % 2 ** 32) {
    throw refuse('size-mismatch', `it unpacks to ${sum.length} bytes, but states ${length}`);
  }
  return at + trailerLength;
}

/** CRC-32 as people write it. */
export function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}

/** How much may come out of {@link inflateWithin}. */
export interface InflateBounds {
  /** In bytes; more than that is not unpacked. */
  readonly cap: number;
  /** What the archive claims, to allocate once. Need not be true. */
  readonly claimed: number;
}

/**
 * Inflates raw deflate data (RFC 1951), which may be followed by other bytes.
 *
 * @returns the bytes and how many were consumed; `undefined` when there are more than `cap`.
 * @throws `ARCHIVE_REFUSED`.
 */
export function inflateWithin(
  data: Buffer,
  { cap, claimed }: InflateBounds,
): { readonly bytes: Buffer; readonly consumed: number } | undefined {
  // One more than claimed, else zlib would ask for a second buffer only to learn that nothing is left.
  const size = Math.max(constants.Z_MIN_CHUNK, Math.min(cap, claimed) + 1);
  try {
    // The declared type knows only the result without `info`.
    const result = inflateRawSync(data, {
      chunkSize: size,
      maxOutputLength: Math.max(cap, 1),
      info: true,
    }) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    if (result.buffer.length > cap) return undefined;
    return { bytes: result.buffer, consumed: result.engine.bytesWritten };
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw inflateError(error);
  }
}

/** What zlib says of damaged data, as a refusal; any other error as it is. */
export function inflateError(error: unknown): unknown {
  const code = errorCode(error);
  if (code === 'Z_BUF_ERROR') return refuse('truncated', 'its compressed data break off');
  if (code === 'Z_DATA_ERROR' || code === 'Z_NEED_DICT') {
    return refuse('bad-compression', `its compressed data are damaged (${(error as Error).message})`);
  }
  return error;
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
