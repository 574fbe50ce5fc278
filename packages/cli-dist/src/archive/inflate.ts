import { Readable, pipeline } from 'node:stream';
import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { SkillsError } from '@skillpack/core';
import type { ArchiveBytes } from './archive-bytes.js';
import { hasLeanBlocks } from './lean-blocks.js';
import { refuse } from './refuse.js';

// Each chunk is a trip to another thread and back: 200 MB took 600 ms in chunks of 64 KiB, and 430 in these.
const chunkSize = 512 * 1024;
const pieceSize = 1024 * 1024;

/** What came of inflating. */
export interface InflateSum {
  /** Compressed bytes that were read; the rest is something else. */
  readonly consumed: number;
  /** Of the bytes that came out. */
  readonly crc: number;
  /** Bytes that came out. */
  readonly size: number;
}

/** How data are inflated in chunks. */
export interface InflateOptions {
  /** Where the data begin. @default 0 */
  readonly start?: number | undefined;
  /** Bytes after which it stops: the sum then says more than this. @default no limit */
  readonly limit?: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Inflates raw deflate data (RFC 1951), which may be followed by other bytes, in chunks; data that were inflated are let
 * go. A chunk is taken back
 * when the next one is asked for.
 *
 * @throws `ARCHIVE_REFUSED`, `INTERRUPTED`.
 */
export async function* inflateChunks(data: ArchiveBytes, options: InflateOptions): AsyncGenerator<Buffer, InflateSum> {
  const first = options.start ?? 0;
  const inflater = createInflateRaw({ chunkSize });
  let crc = 0;
  let size = 0;
  let walked = false;
  const began = performance.now();
  function* pieces(): Generator<Buffer, void> {
    for (let at = first; at < data.length;) {
      data.letGo(first + inflater.bytesWritten);
      // Empty blocks cost as much time as full ones: 64 MiB of them, several seconds.
      if (inflater.bytesWritten > plausibleSize(size) + pieceSize) throw refuseExpansion();
      if (!walked && isSlow(performance.now() - began, inflater.bytesWritten, size)) {
        walked = true;
        if (hasLeanBlocks(data, first)) throw refuseLeanBlocks();
      }
      const piece = data.piece(at);
      at += piece.length;
      yield piece;
    }
  }
  // Errors of either come out of the loop below.
  pipeline(Readable.from(pieces(), { highWaterMark: 1 }), inflater, () => {});
  try {
    for await (const chunk of inflater as AsyncIterable<Buffer>) {
      throwIfAborted(options.signal);
      crc = crc32(chunk, crc);
      size += chunk.length;
      if (size > (options.limit ?? Number.POSITIVE_INFINITY)) break;
      yield chunk;
      release(chunk);
    }
  } catch (error) {
    throw inflateError(error);
  } finally {
    inflater.destroy();
  }
  return { consumed: inflater.bytesWritten, crc, size };
}

/**
 * Frees the memory of a chunk, which a large archive would otherwise fill the machine with until the garbage is collected.
 * One that does not reach the end of its buffer shares it with the next: what is inflated goes on there.
 */
function release(chunk: Buffer): void {
  const { buffer, byteOffset, byteLength } = chunk;
  // Cast: zlib allocates no shared memory.
  if (byteOffset + byteLength === buffer.byteLength) (buffer as ArrayBuffer).transfer(0);
}

/**
 * Whether inflating takes so long that it is worth to look why. A machine with other work is slow, too: this alone says
 * nothing about the data.
 */
function isSlow(milliseconds: number, consumed: number, size: number): boolean {
  return consumed >= 4 * pieceSize && milliseconds * 1e6 > 20 * consumed + 5 * size;
}

/** More compressed bytes than an honest program makes of so many: it stores what does not become smaller. */
export function plausibleSize(size: number): number {
  return 2 * size + 1024;
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
    const options = { chunkSize: size, maxOutputLength: Math.max(cap, 1), info: true };
    // The declared type knows only the result without `info`.
    const result = inflateRawSync(data, options) as unknown as {
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

/** @throws `INTERRUPTED` when the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new SkillsError('INTERRUPTED', 'Reading the archive was cancelled.', { cause: signal.reason });
}

/** The refusal of compressed data that are larger than what they hold. */
export function refuseExpansion(): Error {
  return refuse('bad-compression', 'its compressed data are larger than what they hold');
}

function refuseLeanBlocks(): Error {
  return refuse('bad-compression', 'its compressed data describe code tables instead of content');
}

/** What zlib says of damaged data, as a refusal; any other error as it is. */
function inflateError(error: unknown): unknown {
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
