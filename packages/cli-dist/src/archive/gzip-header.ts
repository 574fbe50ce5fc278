import { crc32 } from 'node:zlib';
import { refuse } from './refuse.js';

const fixedLength = 10;
const flags = { headerCrc: 0x02, extra: 0x04, name: 0x08, comment: 0x10, reserved: 0xe0 };

/** Whether a gzip member may begin here (RFC 1952). */
export function startsGzip(bytes: Uint8Array, at = 0): boolean {
  return bytes[at] === 0x1f && bytes[at + 1] === 0x8b;
}

/**
 * Reads the header of a gzip member (RFC 1952, 2.3) at `start`.
 *
 * @returns where the compressed data begins.
 */
export function skipGzipHeader(bytes: Buffer, start: number): number {
  const flag = bytes[start + 3] ?? 0;
  if (bytes.length < start + fixedLength) throw truncated();
  if (bytes[start + 2] !== 8) throw refuse('unsupported-method', 'it is compressed by another method than deflate');
  if ((flag & flags.reserved) !== 0) throw refuse('bad-header', 'its gzip header has reserved flags set');
  let at = start + fixedLength;
  if ((flag & flags.extra) !== 0) {
    if (bytes.length < at + 2) throw truncated();
    at += 2 + bytes.readUInt16LE(at);
  }
  if ((flag & flags.name) !== 0) at = afterZero(bytes, at);
  if ((flag & flags.comment) !== 0) at = afterZero(bytes, at);
  if ((flag & flags.headerCrc) !== 0) {
    if (bytes.length < at + 2) throw truncated();
    const actual = crc32(bytes.subarray(start, at)) & 0xffff;
    if (bytes.readUInt16LE(at) !== actual) throw refuse('bad-checksum', 'its gzip header does not have its checksum');
    at += 2;
  }
  if (at > bytes.length) throw truncated();
  return at;
}

function afterZero(bytes: Buffer, at: number): number {
  const zero = bytes.indexOf(0, at);
  if (zero === -1) throw truncated();
  return zero + 1;
}

function truncated(): Error {
  return refuse('truncated', 'it ends within a gzip header');
}
