import type { ArchiveLimits } from '@skillpack/core';
import { refuse } from './refuse.js';
import { readExtraFields, readZip64, readUint64 } from './zip-extra.js';

/** One record of a zip's central directory, its 64-bit fields resolved. */
export interface ZipRecord {
  readonly name: Buffer;
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
  readonly extra: ReadonlyMap<number, Buffer>;
}

/** The central directory of a zip. */
export interface ZipDirectory {
  /** In the directory's order. */
  readonly records: readonly ZipRecord[];
  /** Where the directory begins, which is where the entries have to end. */
  readonly start: number;
}

const recordLength = 46;
/** Times ten: zip64 is 4.5, all that came after bzip2 is encryption and other methods (APPNOTE 4.4.3). */
const newestVersion = 46;
const endLength = 22;
const end64Length = 56;
const locatorLength = 20;
const signature = {
  record: 0x02014b50,
  end: Buffer.from('PK\u0005\u0006', 'latin1'),
  end64: 0x06064b50,
  locator: 0x07064b50,
};

interface DirectoryEnd {
  readonly count: number;
  readonly size: number;
  readonly start: number;
  /** Where the directory has to end. */
  readonly at: number;
}

/**
 * Reads the central directory (APPNOTE 4.3.12 to 4.3.16): one part, at the end of the file, nothing before, between
 * or behind its records.
 *
 * @throws `ARCHIVE_REFUSED`.
 */
export function readZipDirectory(archive: Buffer, limits: ArchiveLimits): ZipDirectory {
  const end = findEnd(archive);
  if (end.count > limits.entries) {
    throw refuse('too-many-entries', `it has ${end.count} entries, more than the ${limits.entries} allowed`, {
      limit: limits.entries,
    });
  }
  if (end.start + end.size > end.at) throw refuse('truncated', 'its central directory does not fit into it');
  if (end.start + end.size < end.at) throw refuse('hidden-data', 'bytes of it belong to no entry');
  const records: ZipRecord[] = [];
  let at = end.start;
  for (let index = 0; index < end.count; index += 1) {
    const { record, next } = readRecord(archive, at, end.at);
    records.push(record);
    at = next;
  }
  if (at !== end.at) throw refuse('bad-header', 'its central directory has more entries than it counts');
  return { records, start: end.start };
}

function findEnd(archive: Buffer): DirectoryEnd {
  const at = archive.lastIndexOf(signature.end);
  if (at === -1 || at + endLength > archive.length) throw refuse('truncated', 'it has no central directory');
  const close = at + endLength + archive.readUInt16LE(at + 20);
  if (close < archive.length)
    throw refuse('trailing-data', `${archive.length - close} bytes follow the end of the zip`);
  if (close > archive.length) throw refuse('truncated', 'it ends within its comment');
  const stated = {
    disk: archive.readUInt16LE(at + 4),
    directoryDisk: archive.readUInt16LE(at + 6),
    countHere: archive.readUInt16LE(at + 8),
    count: archive.readUInt16LE(at + 10),
    size: archive.readUInt32LE(at + 12),
    start: archive.readUInt32LE(at + 16),
  };
  const locator = at - locatorLength;
  if (locator >= 0 && archive.readUInt32LE(locator) === signature.locator) {
    const end64 = readEnd64(archive, locator);
    for (const [key, saturated] of saturation) {
      if (stated[key] !== end64[key] && stated[key] !== saturated) {
        throw refuse('header-mismatch', 'its two ends of the central directory contradict each other');
      }
    }
    return checkDisks(end64);
  }
  return checkDisks({ ...stated, at });
}

const saturation = [
  ['disk', 0xffff],
  ['directoryDisk', 0xffff],
  ['countHere', 0xffff],
  ['count', 0xffff],
  ['size', 0xffffffff],
  ['start', 0xffffffff],
] as const;

interface StatedEnd extends DirectoryEnd {
  readonly disk: number;
  readonly directoryDisk: number;
  readonly countHere: number;
}

function readEnd64(archive: Buffer, locator: number): StatedEnd {
  const at = readUint64(archive, locator + 8);
  const disks = archive.readUInt32LE(locator + 16);
  if (archive.readUInt32LE(locator + 4) !== 0 || disks > 1) throw refuse('multi-volume', 'it is one part of several');
  if (at !== locator - end64Length || archive.readUInt32LE(at) !== signature.end64) {
    throw refuse('bad-header', 'its zip64 end is not where it says');
  }
  if (readUint64(archive, at + 4) !== end64Length - 12) {
    throw refuse('bad-header', 'its zip64 end holds something unknown');
  }
  return {
    disk: archive.readUInt32LE(at + 16),
    directoryDisk: archive.readUInt32LE(at + 20),
    countHere: readUint64(archive, at + 24),
    count: readUint64(archive, at + 32),
    size: readUint64(archive, at + 40),
    start: readUint64(archive, at + 48),
    at,
  };
}

function checkDisks(end: StatedEnd): DirectoryEnd {
  if (end.disk === 0 && end.directoryDisk === 0 && end.countHere === end.count) return end;
  throw refuse('multi-volume', 'it is one part of several');
}

function readRecord(archive: Buffer, at: number, limit: number): { readonly record: ZipRecord; readonly next: number } {
  if (at + recordLength > limit || archive.readUInt32LE(at) !== signature.record) {
    throw refuse('bad-header', 'its central directory is malformed');
  }
  const nameEnd = at + recordLength + archive.readUInt16LE(at + 28);
  const extraEnd = nameEnd + archive.readUInt16LE(at + 30);
  const next = extraEnd + archive.readUInt16LE(at + 32);
  if (next > limit) throw refuse('bad-header', 'its central directory is malformed');
  const extra = readExtraFields(archive.subarray(nameEnd, extraEnd));
  const resolved = readZip64(extra, [
    archive.readUInt32LE(at + 24),
    archive.readUInt32LE(at + 20),
    archive.readUInt32LE(at + 42),
  ]);
  const disk = archive.readUInt16LE(at + 34);
  if (disk !== 0) throw refuse('multi-volume', 'it is one part of several');
  const needed = archive.readUInt8(at + 6);
  if (needed > newestVersion) {
    throw refuse('unsupported-method', `an entry needs version ${needed / 10} of the zip format`);
  }
  const [size = 0, compressedSize = 0, offset = 0] = resolved;
  const record: ZipRecord = {
    name: archive.subarray(at + recordLength, nameEnd),
    flags: archive.readUInt16LE(at + 8),
    method: archive.readUInt16LE(at + 10),
    crc: archive.readUInt32LE(at + 16),
    compressedSize,
    size,
    offset,
    host: archive.readUInt8(at + 5),
    attributes: archive.readUInt32LE(at + 38),
    extra,
  };
  return { record, next };
}
