import { crc32, deflateRawSync } from 'node:zlib';

/** The fields that a local header and a central record have in common. */
export interface ZipFields {
  readonly name: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly extra: Buffer;
}

/** A zip entry that may lie in every field. */
export interface ZipPart {
  readonly name: string | Buffer;
  readonly data?: string | Buffer;
  /** @default 8 */
  readonly method?: number;
  /** @default 0x0800 (UTF-8) */
  readonly flags?: number;
  /** The system in “version made by”. @default 3 (Unix) */
  readonly host?: number;
  /** The Unix mode, the upper half of the attributes. @default 0o100644, for a folder 0o040755 */
  readonly mode?: number;
  /** The lower half of the attributes. @default 0 */
  readonly dosAttributes?: number;
  /** The bytes that stand in the archive. @default the data, compressed */
  readonly raw?: Buffer;
  /** Where the local header differs. */
  readonly local?: Partial<ZipFields>;
  /** Where the central record differs. */
  readonly central?: Partial<ZipFields> & { readonly offset?: number; readonly disk?: number };
  readonly extra?: Buffer;
  /** Sets bit 3, leaves the local header empty, and writes a descriptor. */
  readonly descriptor?: 'signed' | 'unsigned' | 'wide' | 'wide-unsigned' | Buffer;
  /** Bytes in front of the local header. */
  readonly before?: Buffer;
  /** Leaves out the local header and the data. @default false */
  readonly recordOnly?: boolean;
  /** Leaves out the central record. @default false */
  readonly localOnly?: boolean;
}

/** The end of a zip, which may lie too. */
export interface ZipEnd {
  readonly comment?: string | Buffer;
  /** Bytes between the last entry and the central directory. */
  readonly beforeDirectory?: Buffer;
  /** Bytes between the central directory and its end record. */
  readonly afterDirectory?: Buffer;
  readonly count?: number;
  readonly disk?: number;
  readonly size?: number;
  readonly start?: number;
  /** Writes zip64 records; the fields given differ from the truth. */
  readonly zip64?: {
    readonly count?: number;
    readonly start?: number;
    readonly disks?: number;
    readonly extra?: Buffer;
  };
}

/** A zip of these entries. */
export function zip(parts: readonly ZipPart[], end: ZipEnd = {}): Buffer {
  const locals: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const fields = describe(part);
    const local = part.recordOnly === true ? [] : localParts(part, fields);
    const at = offset + (part.before?.length ?? 0);
    if (part.localOnly !== true) records.push(record(part, fields, at));
    locals.push(part.before ?? Buffer.alloc(0), ...local);
    offset = locals.reduce((sum, { length }) => sum + length, 0);
  }
  const directory = Buffer.concat(records);
  const gap = end.beforeDirectory ?? Buffer.alloc(0);
  const start = offset + gap.length;
  const tail = Buffer.concat([
    end.afterDirectory ?? Buffer.alloc(0),
    endRecords({ start, size: directory.length, count: records.length }, end),
  ]);
  return Buffer.concat([...locals, gap, directory, tail]);
}

function describe(part: ZipPart): ZipFields & { readonly raw: Buffer } {
  const data = Buffer.from(part.data ?? '');
  const name = Buffer.from(part.name);
  const method = part.method ?? (data.length === 0 ? 0 : 8);
  const raw = part.raw ?? (method === 8 ? deflateRawSync(data) : data);
  const flags = (part.flags ?? 0x0800) | (part.descriptor === undefined ? 0 : 0x0008);
  const extra = part.extra ?? Buffer.alloc(0);
  return { name, flags, method, crc: crc32(data), compressedSize: raw.length, size: data.length, extra, raw };
}

function localParts(part: ZipPart, fields: ZipFields & { readonly raw: Buffer }): Buffer[] {
  const unknown = part.descriptor === undefined ? {} : { crc: 0, compressedSize: 0, size: 0 };
  const local = { ...fields, ...unknown, ...part.local };
  return [
    Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common(local), local.name, local.extra]),
    fields.raw,
    descriptor(part.descriptor, fields),
  ];
}

function descriptor(kind: ZipPart['descriptor'], { crc, compressedSize, size }: ZipFields): Buffer {
  if (kind === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(kind)) return kind;
  const signature = Buffer.from(kind === 'signed' || kind === 'wide' ? 'PK\u0007\u0008' : '', 'latin1');
  const sizes = kind.startsWith('wide')
    ? [uint64(compressedSize), uint64(size)]
    : [uint32(compressedSize), uint32(size)];
  return Buffer.concat([signature, uint32(crc), ...sizes]);
}

function record(part: ZipPart, fields: ZipFields, at: number): Buffer {
  const central = { ...fields, ...part.central };
  const folder = central.name.at(-1) === 0x2f;
  const mode = part.mode ?? (folder ? 0o040755 : 0o100644);
  const rest = Buffer.alloc(14);
  rest.writeUInt16LE(part.central?.disk ?? 0, 2);
  rest.writeUInt16LE(part.dosAttributes ?? 0, 6);
  rest.writeUInt16LE(mode, 8);
  rest.writeUInt32LE(part.central?.offset ?? at, 10);
  const madeBy = Buffer.from([20, part.host ?? 3]);
  return Buffer.concat([
    Buffer.from('PK\u0001\u0002', 'latin1'),
    madeBy,
    common(central),
    rest,
    central.name,
    central.extra,
  ]);
}

function common({ name, flags, method, crc, compressedSize, size, extra }: ZipFields): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(flags, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt16LE(0x21, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(compressedSize, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(name.length, 22);
  fields.writeUInt16LE(extra.length, 24);
  return fields;
}

interface Directory {
  readonly start: number;
  readonly size: number;
  readonly count: number;
}

function endRecords(true_: Directory, end: ZipEnd): Buffer {
  const comment = Buffer.from(end.comment ?? '');
  const stated = end.zip64 === undefined ? true_ : { start: 0xffffffff, size: 0xffffffff, count: 0xffff };
  const fields = Buffer.alloc(22);
  fields.write('PK\u0005\u0006', 'latin1');
  fields.writeUInt16LE(end.disk ?? 0, 4);
  fields.writeUInt16LE(end.disk ?? 0, 6);
  fields.writeUInt16LE(end.count ?? stated.count, 8);
  fields.writeUInt16LE(end.count ?? stated.count, 10);
  fields.writeUInt32LE(end.size ?? stated.size, 12);
  fields.writeUInt32LE(end.start ?? stated.start, 16);
  fields.writeUInt16LE(comment.length, 20);
  return Buffer.concat([end.zip64 === undefined ? Buffer.alloc(0) : zip64Records(true_, end), fields, comment]);
}

function zip64Records({ start, size, count }: Directory, { zip64, afterDirectory }: ZipEnd): Buffer {
  const extra = zip64?.extra ?? Buffer.alloc(0);
  const head = Buffer.from('PK\u0006\u0006', 'latin1');
  const versions = Buffer.from([45, 3, 45, 0]);
  const disks = Buffer.alloc(8);
  const counts = uint64(zip64?.count ?? count);
  return Buffer.concat([
    head,
    uint64(44 + extra.length),
    versions,
    disks,
    counts,
    counts,
    uint64(size),
    uint64(zip64?.start ?? start),
    extra,
    Buffer.from('PK\u0006\u0007', 'latin1'),
    uint32(0),
    uint64(start + size + (afterDirectory?.length ?? 0)),
    uint32(zip64?.disks ?? 1),
  ]);
}

/** Four bytes, little-endian. */
function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Eight bytes, little-endian. */
export function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

/** One block of an extra field. */
export function extraField(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}

/** The Unicode path field (APPNOTE 4.6.9) for an entry of this name. */
export function unicodePath(name: string | Buffer, path: string): Buffer {
  return extraField(0x7075, Buffer.concat([Buffer.from([1]), uint32(crc32(name)), Buffer.from(path)]));
}
