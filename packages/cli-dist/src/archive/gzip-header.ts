import { crc32 } from 'node:zlib';
import { refuse } from './refuse.js';

const fixedLength = 10;
const flags = { headerCrc: 0x02, extra: 0x04, name: 0x08, comment: 0x10, reserved: 0xe0 };

/** Whether a gzip member may begin with these bytes (RFC 1952). */
export function startsGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Reads the header of a gzip member (RFC 1952, 2.3), which these bytes begin with.
 *
 * @returns how long it is, or `undefined` when it is longer than the bytes. @throws `ARCHIVE_REFUSED`.
 */
export function gzipHeaderLength(bytes: Buffer): number | undefined {
  const flag = bytes[3] ?? 0;
  if (bytes.length < fixedLength) return undefined;
  if (bytes[2] !== 8) throw refuse('unsupported-method', 'it is compressed by another method than deflate');
  if ((flag & flags.reserved) !== 0) throw refuse('bad-header', 'its gzip header has reserved flags set');
  let at = fixedLength;
  if ((flag & flags.extra) !== 0) {
    if (bytes.length < at + 2) return undefined;
    at += 2 + bytes.readUInt16LE(at);
  }
  for (const field of [flags.name, flags.comment]) {
    if ((flag & field) === 0) continue;
    const zero = bytes.indexOf(0, at);
    if (zero === -1) return undefined;
    at = zero + 1;
  }
  if ((flag & flags.headerCrc) !== 0) {
    if (bytes.length < at + 2) return undefined;
    const actual = crc32(bytes.subarray(0, at)) & 0xffff;
    if (bytes.readUInt16LE(at) !== actual) throw refuse('bad-checksum', 'its gzip header does not have its checksum');
    at += 2;
  }
  return at > bytes.length ? undefined : at;
}
