import { quoted, type ArchiveLimits } from '@skillpack/core';
import { AdmittedEntries, type AnnouncedEntry } from './admitted-entries.js';
import { crc32 } from './crc32.js';
import { decodeName } from './decode-name.js';
import { decompress } from './decompress.js';
import type { UnpackedFile } from './read-tar.js';
import { refuseArchive } from './refuse-archive.js';
import { judgeExtra, readZipRecords, type ZipRecord } from './zip-records.js';

interface ZipEntry extends AnnouncedEntry {
  readonly record: ZipRecord;
  /** The bytes as they stand in the archive. */
  readonly data: Uint8Array<ArrayBuffer>;
}

/** Bytes that compressing may add to few. */
const expansion = 64;
const localLength = 30;
const localSignature = 0x04034b50;
const descriptorSignature = 0x08074b50;
const flag = { descriptor: 0x0008, level: 0x0006 };
/** Unix and macOS; every other system means something else by the upper half of the attributes. */
const unixHosts = [3, 19];

/**
 * The files of a zip, by path. Of each thing that readers understand differently it accepts one form only: no 64-bit
 * sizes, no second name, nothing that belongs to no entry; the rest is refused, and with one entry all of them.
 *
 * @throws `ARCHIVE_REFUSED`.
 */
export async function readZip(
  zip: Uint8Array<ArrayBuffer>,
  limits: ArchiveLimits,
): Promise<ReadonlyMap<string, UnpackedFile>> {
  const admitted = new AdmittedEntries(limits);
  const entries = readEntries(zip).map((entry) => ({ entry, path: admitted.admit(entry) }));
  admitted.finish();
  const files = new Map<string, UnpackedFile>();
  for (const { entry, path } of entries) {
    // A folder, too: what it holds would be hidden.
    const bytes = await unpack(entry);
    const executable = unixHosts.includes(entry.record.host) && (entry.mode & 0o111) !== 0;
    if (path !== undefined) files.set(path, { bytes, executable });
  }
  return files;
}

/** Every entry, its own header judged against its record; they fill the archive up to the directory. */
function readEntries(zip: Uint8Array<ArrayBuffer>): readonly ZipEntry[] {
  const { records, start } = readZipRecords(zip);
  const sorted = records.toSorted((left, right) => left.offset - right.offset);
  if ((sorted[0]?.offset ?? start) !== 0) throw refuseArchive('hidden-data', 'bytes of it belong to no entry');
  return sorted.map((record, at) => {
    const end = sorted[at + 1]?.offset ?? start;
    if (end > start) throw refuseArchive('overlapping-entries', 'an entry lies in its central directory');
    return readEntry(zip.subarray(record.offset, end), record);
  });
}

/** `span` begins with the local header and ends where the next entry begins. */
function readEntry(span: Uint8Array<ArrayBuffer>, record: ZipRecord): ZipEntry {
  const name = decodeName(record.name);
  const { method, size, compressedSize, attributes } = record;
  const kind = name.endsWith('/') ? 'folder' : 'file';
  if (method !== 0 && method !== 8) {
    throw refuseArchive('unsupported-method', `${quoted(name)} is compressed by method ${method}`, { path: name });
  }
  // Of more bytes than any compressor makes, some hold nothing.
  if (compressedSize > size + Math.ceil(size / 8) + expansion) {
    throw refuseArchive('bad-compression', `${quoted(name)} is larger compressed than not`, { path: name });
  }
  if (method === 0 && size !== compressedSize) {
    throw refuseArchive('size-mismatch', `${quoted(name)} is stored as it is, but has two sizes`, { path: name });
  }
  if ((kind === 'folder' && size !== 0) || (kind === 'file' && (attributes & 0x10) !== 0)) {
    throw refuseArchive('bad-header', `${quoted(name)} is not what its header calls it`, { path: name });
  }
  return { name, kind, size, mode: attributes >>> 16, record, data: readLocal(span, record, name) };
}

/** Compares the local header with the record, and gives the data. */
function readLocal(span: Uint8Array<ArrayBuffer>, record: ZipRecord, name: string): Uint8Array<ArrayBuffer> {
  const mismatch = (): Error =>
    refuseArchive('header-mismatch', `what is said of ${quoted(name)} differs from one place to another`, {
      path: name,
    });
  if (span.length < localLength + record.name.length) throw mismatch();
  const view = new DataView(span.buffer, span.byteOffset, span.length);
  const nameEnd = localLength + view.getUint16(26, true);
  const start = nameEnd + view.getUint16(28, true);
  const end = start + record.compressedSize;
  const described = (record.flags & flag.descriptor) !== 0;
  const sameName =
    nameEnd === localLength + record.name.length && record.name.every((byte, at) => byte === span[localLength + at]);
  const sums = [view.getUint32(14, true), view.getUint32(18, true), view.getUint32(22, true)];
  const expected = [record.crc, record.compressedSize, record.size];
  const same =
    view.getUint32(0, true) === localSignature &&
    sameName &&
    ((view.getUint16(6, true) ^ record.flags) & ~flag.level) === 0 &&
    view.getUint16(8, true) === record.method &&
    // Whoever writes a descriptor behind the data did not know them before.
    sums.every((sum, at) => sum === expected[at] || (described && sum === 0)) &&
    end <= span.length;
  if (!same) throw mismatch();
  judgeExtra(span.subarray(nameEnd, start));
  if (!fits(span.subarray(end), described ? expected : [])) throw mismatch();
  return span.subarray(start, end);
}

/** What follows the data is a data descriptor (APPNOTE 4.3.9) where there has to be one, and otherwise nothing. */
function fits(rest: Uint8Array<ArrayBuffer>, expected: readonly number[]): boolean {
  const view = new DataView(rest.buffer, rest.byteOffset, rest.length);
  const signed = rest.length === 4 * expected.length + 4 && expected.length > 0;
  if (!signed && rest.length !== 4 * expected.length) return false;
  if (signed && view.getUint32(0, true) !== descriptorSignature) return false;
  return expected.every((value, at) => view.getUint32(4 * at + (signed ? 4 : 0), true) === value);
}

async function unpack({ name, size, record, data }: ZipEntry): Promise<Uint8Array> {
  const wrong = (): Error => refuseArchive('size-mismatch', `${quoted(name)} does not have the size that it states`);
  const bytes = record.method === 0 ? data : await decompress(data, 'deflate-raw', { maxBytes: size, tooMany: wrong });
  if (bytes.length !== size) throw wrong();
  if (crc32(bytes) === record.crc) return bytes;
  throw refuseArchive('bad-checksum', `${quoted(name)} does not have the CRC-32 that it states`, { path: name });
}
