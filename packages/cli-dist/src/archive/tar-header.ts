import { refuse } from './refuse.js';

/** The size of a tar block, in bytes. */
export const tarBlock = 512;

/** A tar header as it stands, its checksum right (POSIX.1-1988 ustar, GNU and v7). */
export interface TarHeader {
  /** The type flag as a character; `\0` for the oldest archives. */
  readonly type: string;
  /** The name with its prefix, undecoded: a longer name may follow from another header. */
  readonly name: Buffer;
  /** In bytes. */
  readonly size: number;
  readonly mode: number;
  /** Whether it names the target of a link. */
  readonly linked: boolean;
}

const posixMagic = 'ustar\u000000';
const gnuMagic = 'ustar  \u0000';

/**
 * Reads one header block.
 *
 * @throws `ARCHIVE_REFUSED`.
 */
export function readTarHeader(block: Buffer): TarHeader {
  checkChecksum(block);
  const magic = block.toString('latin1', 257, 265);
  if (magic.startsWith('ustar') && magic !== posixMagic && magic !== gnuMagic) {
    throw refuse('bad-header', 'a tar header names a format that nobody knows');
  }
  // Some readers take what is there for a part of the name in every dialect, others for the sizes of a sparse file.
  if (magic !== posixMagic && !isZero(block, 345, tarBlock)) {
    throw refuse('bad-header', 'a tar header has something else where only POSIX has a part of the name');
  }
  const name = untilZero(block, 0, 100);
  // Where the last byte of a shorter prefix is zero, star has two times behind it.
  const shorter = block[475] === 0;
  const prefix = magic === posixMagic ? untilZero(block, 345, shorter ? 131 : 155) : block.subarray(0, 0);
  // Owner, time and device are not used, but other readers choke on garbage here, so an honest writer leaves none.
  for (const start of [108, 116, 329, 337]) checkUnsigned(readNumber(block, start, 8));
  for (const start of shorter ? [136, 476, 488] : [136]) readNumber(block, start, 12);
  return {
    type: String.fromCharCode(block[156] ?? 0),
    name: prefix.length === 0 ? name : Buffer.concat([prefix, slash, name]),
    size: readLength(block),
    mode: readNumber(block, 100, 8),
    linked: !isZero(block, 157, 257),
  };
}

const slash = Buffer.from('/');

function untilZero(block: Buffer, start: number, length: number): Buffer {
  const field = block.subarray(start, start + length);
  const zero = field.indexOf(0);
  if (zero === -1) return field;
  // Some readers go on after a zero.
  if (!isZero(field, zero, length)) {
    throw refuse('bad-header', 'a tar header has something behind the end of a name');
  }
  return field.subarray(0, zero);
}

function isZero(block: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) if (block[index] !== 0) return false;
  return true;
}

function checkChecksum(block: Buffer): void {
  const stated = readNumber(block, 148, 8);
  let unsigned = 8 * 0x20;
  let high = 0;
  for (let index = 0; index < tarBlock; index += 1) {
    if (index === 148) index += 8; // the sum itself, which counts as spaces
    const byte = block[index] ?? 0;
    unsigned += byte;
    high += byte >> 7;
  }
  // Some old systems summed signed bytes.
  if (stated === unsigned || stated === unsigned - 256 * high) return;
  throw refuse('bad-checksum', `a tar header has the sum ${unsigned}, but states ${stated}`);
}

function readLength(block: Buffer): number {
  const size = readNumber(block, 124, 12);
  if (size < 0 || !Number.isSafeInteger(size)) throw refuse('bad-header', 'a tar header states an impossible size');
  return size;
}

/** Owners and devices have 32 bits. GNU tar fails on others. */
function checkUnsigned(value: number): void {
  if (value < 0 || value > 0xffffffff) throw refuse('bad-header', 'a tar header states an impossible owner or device');
}

/** A number in octal digits, or in binary when the first bit is set (GNU). A blank field is 0. */
function readNumber(block: Buffer, start: number, length: number): number {
  const first = block[start] ?? 0;
  if (first === 0x80 || first === 0xff) {
    const negative = first === 0xff;
    let value = 0;
    for (let index = start + 1; index < start + length; index += 1) {
      const byte = block[index] ?? 0;
      value = value * 256 + (negative ? 255 - byte : byte);
    }
    if (!Number.isSafeInteger(value)) throw refuse('bad-header', 'a tar header states a number beyond all');
    return negative ? -value - 1 : value;
  }
  return readOctal(block, start, start + length);
}

/** Spaces, digits, then spaces and zeros: read byte by byte, since a header has nine of them. */
function readOctal(block: Buffer, start: number, end: number): number {
  let at = start;
  let value = 0;
  while (at < end && block[at] === 0x20) at += 1;
  for (let digit = octalDigit(block, at); digit >= 0 && at < end; digit = octalDigit(block, at)) {
    value = value * 8 + digit;
    at += 1;
  }
  while (at < end && (block[at] === 0x20 || block[at] === 0)) at += 1;
  if (at === end) return value;
  throw refuse('bad-header', 'a tar header has something else where a number belongs');
}

function octalDigit(block: Buffer, at: number): number {
  const digit = (block[at] ?? 0) - 0x30;
  return digit <= 7 ? digit : -1;
}
