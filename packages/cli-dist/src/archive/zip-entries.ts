import { quoted } from '@skillpack/core';
import type { EntryJudge } from './entry-judge.js';
import { judgeMode } from './entry-mode.js';
import { plausibleSize, refuseExpansion } from './inflate.js';
import { refuse } from './refuse.js';
import { readExtraFields, readZip64, extraId } from './zip-extra.js';
import { readZipName } from './zip-name.js';
import type { ZipDirectory, ZipRecord } from './zip-records.js';

/** A file or a folder of a zip, every header of it judged; its data are not yet. */
export interface ZipEntry {
  /** Empty for the root folder. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** In bytes. */
  readonly size: number;
  readonly crc: number;
  readonly method: 'stored' | 'deflated';
  readonly executable: boolean | undefined;
  /** The bytes as they stand in the archive. */
  readonly data: Buffer;
}

const flag = { encrypted: 0x2041, patched: 0x0020, descriptor: 0x0008, level: 0x0006 };
const localLength = 30;
const localSignature = 0x04034b50;
const descriptorSignature = 0x08074b50;
/** Unix and macOS; every other system means something else by the upper half of the attributes. */
const unixHosts = new Set([3, 19]);

/**
 * Judges every entry of a zip, its local header against its record, and that the entries fill the file without a gap
 * or an overlap up to the central directory.
 *
 * @returns the entries in the order in which they lie in the file.
 * @throws `ARCHIVE_REFUSED`.
 */
export function readZipEntries(archive: Buffer, { records, start }: ZipDirectory, judge: EntryJudge): ZipEntry[] {
  const sorted = records.toSorted((left, right) => left.offset - right.offset);
  const entries: ZipEntry[] = [];
  let at = 0;
  for (const [index, record] of sorted.entries()) {
    if (record.offset > at) throw refuse('hidden-data', 'bytes of it belong to no entry');
    if (record.offset < at) throw refuse('overlapping-entries', 'two of its entries share bytes');
    const end = sorted[index + 1]?.offset ?? start;
    if (end > start) throw refuse('overlapping-entries', 'an entry lies in its central directory');
    entries.push(readEntry(archive.subarray(at, end), record, judge));
    at = end;
  }
  if (at !== start) throw refuse('hidden-data', 'bytes of it belong to no entry');
  return entries;
}

/** `span` begins with the local header and ends where the next entry begins. */
function readEntry(span: Buffer, record: ZipRecord, judge: EntryJudge): ZipEntry {
  const name = readZipName(record);
  const kind = name.endsWith('/') ? 'folder' : 'file';
  const method = judgeRecord(record, name);
  const mode = record.attributes >>> 16;
  judgeMode({ name, kind, mode });
  const path = judge.admit({ name, kind, size: record.size }) ?? '';
  const data = readLocal(span, record, name);
  const executable = unixHosts.has(record.host) ? (mode & 0o111) !== 0 : undefined;
  return { path, kind, size: record.size, crc: record.crc, method, executable, data };
}

function judgeRecord({ flags, method, size, compressedSize, attributes }: ZipRecord, name: string): ZipEntry['method'] {
  const data = { path: name };
  if ((flags & flag.encrypted) !== 0 || method === 99) throw refuse('encrypted', `${quoted(name)} is encrypted`, data);
  if ((flags & flag.patched) !== 0) throw refuse('unsupported-method', `${quoted(name)} is a patch`, data);
  if (method !== 0 && method !== 8) {
    throw refuse(
      'unsupported-method',
      `${quoted(name)} is compressed by method ${method}; only 0 and 8 are read`,
      data,
    );
  }
  if (method === 0 && size !== compressedSize) {
    throw refuse(
      'size-mismatch',
      `${quoted(name)} is stored as it is, but has two sizes, ${size} and ${compressedSize}`,
      data,
    );
  }
  if (compressedSize > plausibleSize(size)) throw refuseExpansion();
  const folder = name.endsWith('/');
  if (folder && size !== 0) throw refuse('bad-header', `the folder ${quoted(name)} has contents`, data);
  if (!folder && (attributes & 0x10) !== 0) {
    throw refuse('bad-header', `${quoted(name)} has the attribute of a folder, but is named as a file`, data);
  }
  return method === 0 ? 'stored' : 'deflated';
}

/** Compares the local header with the record, and returns the data. */
function readLocal(span: Buffer, record: ZipRecord, name: string): Buffer {
  const overlap = () => refuse('overlapping-entries', `${quoted(name)} reaches into what follows it`, { path: name });
  if (span.length < localLength) throw overlap();
  const mismatch = (what: string) =>
    refuse('header-mismatch', `${quoted(name)} has one ${what} in its own header, another in the directory`, {
      path: name,
    });
  if (span.readUInt32LE(0) !== localSignature) throw mismatch('signature');
  const nameEnd = localLength + span.readUInt16LE(26);
  const dataStart = nameEnd + span.readUInt16LE(28);
  const dataEnd = dataStart + record.compressedSize;
  if (dataStart > span.length) throw overlap();
  if (!span.subarray(localLength, nameEnd).equals(record.name)) throw mismatch('name');
  if (((span.readUInt16LE(6) ^ record.flags) & ~flag.level) !== 0) throw mismatch('set of flags');
  if (span.readUInt16LE(8) !== record.method) throw mismatch('method');
  const extra = readExtraFields(span.subarray(nameEnd, dataStart));
  if (extra.has(extraId.unicodePath) && readZipName({ ...record, extra }) !== name) throw mismatch('Unicode path');
  const sums = [span.readUInt32LE(14), ...readZip64(extra, [span.readUInt32LE(22), span.readUInt32LE(18)])];
  const expected = [record.crc, record.size, record.compressedSize];
  const described = (record.flags & flag.descriptor) !== 0;
  for (const [index, what] of (['checksum', 'size', 'compressed size'] as const).entries()) {
    // Whoever writes a descriptor behind the data did not know them before.
    if (sums[index] !== expected[index] && !(described && sums[index] === 0)) throw mismatch(what);
  }
  if (dataEnd > span.length) throw overlap();
  judgeDescriptor(span.subarray(dataEnd), { record, described, name });
  return span.subarray(dataStart, dataEnd);
}

interface DescribedEntry {
  readonly record: ZipRecord;
  readonly described: boolean;
  readonly name: string;
}

/** What follows the data is a data descriptor (APPNOTE 4.3.9), in one of its four forms, or nothing. */
function judgeDescriptor(rest: Buffer, { record, described, name }: DescribedEntry): void {
  if (!described) {
    if (rest.length === 0) return;
    throw refuse('hidden-data', `${rest.length} bytes after ${quoted(name)} belong to no entry`, { path: name });
  }
  const signed = rest.length === 16 || rest.length === 24;
  if (!signed && rest.length !== 12 && rest.length !== 20) {
    throw refuse('hidden-data', `${quoted(name)} is not followed by its data descriptor alone`, { path: name });
  }
  const at = signed ? 4 : 0;
  const wide = rest.length >= 20;
  const sizes = wide
    ? [rest.readBigUInt64LE(at + 4), rest.readBigUInt64LE(at + 12)]
    : [rest.readUInt32LE(at + 4), rest.readUInt32LE(at + 8)];
  const fits =
    (!signed || rest.readUInt32LE(0) === descriptorSignature) &&
    rest.readUInt32LE(at) === record.crc &&
    Number(sizes[0]) === record.compressedSize &&
    Number(sizes[1]) === record.size;
  if (!fits) throw refuse('header-mismatch', `${quoted(name)} does not agree with its data descriptor`, { path: name });
}
