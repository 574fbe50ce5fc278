import { crc32 } from 'node:zlib';
import { deflateSync } from 'fflate';
import type { ArchiveInput } from '@skillpack/core';
import { compressionOptions } from './compression-options.js';

/** 1980-01-01 00:00, the first moment a zip can name. */
const dosTime = 0;
const dosDate = 0x0021;
const utf8Flag = 0x0800;
const madeByUnix = 0x0314;
const versionNeeded = 20;

interface Packed {
  readonly name: Buffer;
  readonly data: Uint8Array;
  readonly method: 0 | 8;
  readonly crc: number;
  readonly size: number;
  readonly mode: number;
}

/** A zip of files in this order (APPNOTE 6.3.10): no descriptors, no extra fields, no folders. */
export function writeZip(files: readonly ArchiveInput[]): Uint8Array {
  const entries: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const file of files) {
    const packed = pack(file);
    const local = localHeader(packed);
    entries.push(local, packed.data);
    directory.push(centralRecord(packed, offset));
    offset += local.length + packed.data.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([...entries, ...directory, endRecord({ count: files.length, size, offset })]);
}

function pack({ path, bytes, executable }: ArchiveInput): Packed {
  const deflated = deflateSync(bytes, compressionOptions);
  const smaller = deflated.length < bytes.length;
  return {
    name: Buffer.from(path, 'utf8'),
    data: smaller ? deflated : bytes,
    method: smaller ? 8 : 0,
    crc: crc32(bytes),
    size: bytes.length,
    mode: executable ? 0o100755 : 0o100644,
  };
}

/** The 26 bytes that the local header and the central record have in common, and the name's length. */
function commonFields({ name, data, method, crc, size }: Packed): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(versionNeeded, 0);
  fields.writeUInt16LE(utf8Flag, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt16LE(dosTime, 6);
  fields.writeUInt16LE(dosDate, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function localHeader(packed: Packed): Buffer {
  return Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), commonFields(packed), packed.name]);
}

function centralRecord(packed: Packed, offset: number): Buffer {
  const start = Buffer.alloc(6);
  start.write('PK\u0001\u0002', 'latin1');
  start.writeUInt16LE(madeByUnix, 4);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(packed.mode * 2 ** 16, 6);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([start, commonFields(packed), rest, packed.name]);
}

function endRecord({
  count,
  size,
  offset,
}: {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
