import { refuseArchive } from './refuse-archive.js';

/** The size of a tar block, in bytes. */
export const tarBlock = 512;

/** A tar header as it stands, its checksum right. */
export interface TarHeader {
  /** The type flag as a character; `\0` for the oldest archives. */
  readonly type: string;
  /** The name with its prefix, undecoded: a longer name may come from another header. */
  readonly name: Uint8Array;
  /** In bytes. */
  readonly size: number;
  readonly mode: number;
  /** Whether it names the target of a link. */
  readonly linked: boolean;
}

const latin = new TextDecoder('latin1');
const posixMagic = 'ustar\u000000';
const magics: readonly string[] = [posixMagic, 'ustar  \u0000', '\0'.repeat(8)];

/**
 * Reads one header block (POSIX.1-1988 ustar, GNU and v7).
 *
 * @throws `ARCHIVE_REFUSED`.
 */
export function readTarHeader(block: Uint8Array): TarHeader {
  checkSum(block);
  const magic = latin.decode(block.subarray(257, 265));
  if (!magics.includes(magic)) throw refuseArchive('bad-header', 'a tar header names a format that nobody knows');
  const posix = magic === posixMagic;
  if (!posix && !isZero(block.subarray(345))) {
    throw refuseArchive('bad-header', 'a tar header has something else where only POSIX has a part of the name');
  }
  const prefix = posix ? untilZero(block.subarray(345, 500)) : new Uint8Array();
  const name = untilZero(block.subarray(0, 100));
  checkUnused(block);
  return {
    type: String.fromCharCode(block[156] ?? 0),
    name: prefix.length === 0 ? name : Uint8Array.of(...prefix, 0x2f, ...name),
    size: readNumber(block.subarray(124, 136)),
    mode: readNumber(block.subarray(100, 108)),
    linked: !isZero(block.subarray(157, 257)),
  };
}

/** Whether bytes are nothing but zeros. */
export function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** What stands before the first zero; only zeros may follow, since some readers go on behind one. @throws `ARCHIVE_REFUSED`. */
export function untilZero(field: Uint8Array): Uint8Array {
  const end = field.indexOf(0);
  if (end === -1) return field;
  if (!isZero(field.subarray(end))) {
    throw refuseArchive('bad-header', 'a tar header has something behind the end of a name');
  }
  return field.subarray(0, end);
}

function checkSum(block: Uint8Array): void {
  // The sum itself counts as spaces.
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  const stated = readNumber(block.subarray(148, 156));
  const high = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0 : byte >> 7), 0);
  // Some old systems summed signed bytes.
  if (stated === sum || stated === sum - 256 * high) return;
  throw refuseArchive('bad-checksum', `a tar header has the sum ${sum}, but states ${stated}`);
}

/** Owners and devices have 32 bits. Neither they nor the time are used, but what others refuse is not read here either. */
function checkUnused(block: Uint8Array): void {
  for (const start of [108, 116, 329, 337]) {
    if (readNumber(block.subarray(start, start + 8)) <= 0xffffffff) continue;
    throw refuseArchive('bad-header', 'a tar header states an impossible owner or device');
  }
  readNumber(block.subarray(136, 148));
}

/** Octal digits, at most between spaces and zeros, or binary when the first byte is 128 (GNU). A blank field is 0. */
function readNumber(field: Uint8Array): number {
  const digits = /^ *([0-7]*)[ \0]*$/u.exec(latin.decode(field))?.[1];
  if (digits !== undefined) return Number.parseInt(`0${digits}`, 8);
  const value = field.subarray(1).reduce((total, byte) => total * 256 + byte, 0);
  if (field[0] === 0x80 && Number.isSafeInteger(value)) return value;
  throw refuseArchive('bad-header', 'a tar header has something else where a number belongs');
}
