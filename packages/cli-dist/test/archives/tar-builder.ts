import { gzipSync } from 'node:zlib';

const blockSize = 512;

/** A tar entry that may lie in every field. */
export interface TarPart {
  readonly name?: string | Buffer;
  readonly data?: string | Buffer;
  /** @default '0' */
  readonly type?: string;
  /** A number, or the field's bytes. @default 0o644 */
  readonly mode?: number | Buffer;
  /** @default the length of the data */
  readonly size?: number | Buffer;
  readonly linkName?: string;
  readonly prefix?: string;
  /** @default 'ustar' */
  readonly dialect?: 'ustar' | 'gnu' | 'v7';
  /** Changes the header before its checksum is made. */
  readonly patch?: (header: Buffer) => void;
  /** @default 'unsigned' */
  readonly checksum?: 'unsigned' | 'signed' | 'wrong';
  /** Whether the data are filled up to a whole block. @default true */
  readonly padded?: boolean;
}

/** The bytes of one entry. */
export function tarEntry(part: TarPart): Buffer {
  const data = Buffer.from(part.data ?? '');
  const header = Buffer.alloc(blockSize);
  Buffer.from(part.name ?? 'pdf/file').copy(header, 0, 0, 100);
  field(header, { at: 100, width: 8, value: part.mode ?? 0o644 });
  field(header, { at: 108, width: 8, value: 0 });
  field(header, { at: 116, width: 8, value: 0 });
  field(header, { at: 124, width: 12, value: part.size ?? data.length });
  field(header, { at: 136, width: 12, value: 0 });
  header.write(part.type ?? '0', 156, 'latin1');
  header.write(part.linkName ?? '', 157, 'latin1');
  const magic = { ustar: 'ustar\u000000', gnu: 'ustar  \u0000', v7: '' }[part.dialect ?? 'ustar'];
  header.write(magic, 257, 'latin1');
  header.write(part.prefix ?? '', 345, 'latin1');
  part.patch?.(header);
  writeChecksum(header, part.checksum ?? 'unsigned');
  const padding = part.padded === false ? 0 : (blockSize - (data.length % blockSize)) % blockSize;
  return Buffer.concat([header, data, Buffer.alloc(padding)]);
}

interface Field {
  readonly at: number;
  readonly width: number;
  readonly value: number | Buffer;
}

function field(header: Buffer, { at, width, value }: Field): void {
  if (typeof value === 'number') header.write(value.toString(8).padStart(width - 1, '0'), at, 'latin1');
  else value.copy(header, at, 0, width);
}

function writeChecksum(header: Buffer, kind: 'unsigned' | 'signed' | 'wrong'): void {
  header.write('        ', 148, 'latin1');
  let sum = kind === 'wrong' ? 1 : 0;
  for (const byte of header) sum += kind === 'signed' && byte > 127 ? byte - 256 : byte;
  header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'latin1');
}

/** The two blocks of zeros that end an archive. */
export const tarEnd = Buffer.alloc(2 * blockSize);

/** A tar archive of these entries; a Buffer stands for itself. */
export function tar(...parts: readonly (TarPart | Buffer)[]): Buffer {
  return Buffer.concat([...parts.map((part) => (Buffer.isBuffer(part) ? part : tarEntry(part))), tarEnd]);
}

/** A gzipped tar archive of these entries. */
export function tgz(...parts: readonly (TarPart | Buffer)[]): Buffer {
  return gzipSync(tar(...parts));
}

/** A PAX header with these records; one as a Buffer stands for itself. */
export function pax(records: Readonly<Record<string, string>> | Buffer, type: 'x' | 'g' = 'x'): TarPart {
  const data = Buffer.isBuffer(records)
    ? records
    : Buffer.concat(Object.entries(records).map(([key, value]) => paxRecord(key, value)));
  return { name: 'PaxHeader', type, data };
}

/** One PAX record. */
export function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + 1;
  while (String(length).length + rest !== length) length += 1;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

/** A GNU long name (`L`) or long link (`K`). */
export function gnuLong(type: 'L' | 'K', name: string): TarPart {
  return { name: '././@LongLink', type, dialect: 'gnu', data: `${name}\u0000` };
}
