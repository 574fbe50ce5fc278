import { refuseArchive } from './refuse-archive.js';

/** One record of a zip's central directory. */
export interface ZipRecord {
  readonly name: Uint8Array;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  /** In bytes. */
  readonly compressedSize: number;
  /** In bytes. */
  readonly size: number;
  /** Of the local header. */
  readonly offset: number;
  /** The upper byte of “version made by”: the system whose attributes these are. */
  readonly host: number;
  readonly attributes: number;
}

/** The central directory of a zip. */
export interface ZipDirectory {
  /** In the directory's order. */
  readonly records: readonly ZipRecord[];
  /** Where the directory begins, which is where the entries have to end. */
  readonly start: number;
}

const recordLength = 46;
const endLength = 22;
const signature = { record: 0x02014b50, end: 0x06054b50, locator: 0x07064b50 };
/** 64-bit sizes, and a second name (APPNOTE 4.5.3, 4.6.9). */
const refusedFields = [0x0001, 0x7075];
const refusedFlags = 0x2061;
/** Times ten: all that came later is encryption and other methods (APPNOTE 4.4.3). */
const newestVersion = 46;

/**
 * Reads the central directory (APPNOTE 4.3.12 to 4.3.16): one part, at the end of the file, nothing before, between or
 * behind its records.
 *
 * @throws `ARCHIVE_REFUSED`.
 */
export function readZipRecords(zip: Uint8Array<ArrayBuffer>): ZipDirectory {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.length);
  const end = findEnd(view);
  const start = view.getUint32(end + 16, true);
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  if (view.getUint32(end + 4, true) !== 0 || view.getUint16(end + 8, true) !== count) {
    throw refuseArchive('multi-volume', 'it is one part of several');
  }
  if (start + size !== end) throw refuseArchive('hidden-data', 'bytes of it belong to no entry');
  const records: ZipRecord[] = [];
  let at = start;
  for (let index = 0; index < count; index += 1) {
    const { record, next } = readRecord(zip.subarray(at, end));
    records.push(record);
    at += next;
  }
  if (at === end) return { records, start };
  throw refuseArchive('bad-header', 'its central directory has more entries than it counts');
}

function findEnd(view: DataView): number {
  for (let at = view.byteLength - endLength; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== signature.end) continue;
    // The last one counts, whose comment has to reach to the end of the file.
    if (at + endLength + view.getUint16(at + 20, true) !== view.byteLength) {
      throw refuseArchive('trailing-data', 'its comment does not reach to its end');
    }
    if (at >= 20 && view.getUint32(at - 20, true) === signature.locator) {
      throw refuseArchive('unsupported-method', 'it has 64-bit sizes');
    }
    return at;
  }
  throw refuseArchive('truncated', 'it has no central directory');
}

function readRecord(bytes: Uint8Array<ArrayBuffer>): { readonly record: ZipRecord; readonly next: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const malformed = (): Error => refuseArchive('bad-header', 'its central directory is malformed');
  if (bytes.length < recordLength || view.getUint32(0, true) !== signature.record) throw malformed();
  const nameEnd = recordLength + view.getUint16(28, true);
  const extraEnd = nameEnd + view.getUint16(30, true);
  const next = extraEnd + view.getUint16(32, true);
  if (next > bytes.length) throw malformed();
  judgeExtra(bytes.subarray(nameEnd, extraEnd));
  const flags = view.getUint16(8, true);
  if ((flags & refusedFlags) !== 0) throw refuseArchive('encrypted', 'an entry is encrypted, or a patch');
  if (view.getUint16(34, true) !== 0) throw refuseArchive('multi-volume', 'it is one part of several');
  if (view.getUint8(6) > newestVersion) {
    throw refuseArchive('unsupported-method', 'an entry needs a version of the zip format that nobody knows');
  }
  const record = {
    name: bytes.subarray(recordLength, nameEnd),
    flags,
    method: view.getUint16(10, true),
    crc: view.getUint32(16, true),
    compressedSize: view.getUint32(20, true),
    size: view.getUint32(24, true),
    offset: view.getUint32(42, true),
    host: view.getUint8(5),
    attributes: view.getUint32(38, true),
  };
  return { record, next };
}

/** Judges the extra field of an entry, in the directory or before its data. @throws `ARCHIVE_REFUSED`. */
export function judgeExtra(field: Uint8Array<ArrayBuffer>): void {
  const view = new DataView(field.buffer, field.byteOffset, field.length);
  let at = 0;
  while (at + 4 <= field.length) {
    if (refusedFields.includes(view.getUint16(at, true))) {
      throw refuseArchive('header-mismatch', 'an entry has sizes or a name beside its own');
    }
    at += 4 + view.getUint16(at + 2, true);
  }
  // Aligning tools fill up with less than a block of zeros.
  if (at <= field.length && field.subarray(at).every((byte) => byte === 0)) return;
  throw refuseArchive('bad-header', 'an entry has a malformed extra field');
}
